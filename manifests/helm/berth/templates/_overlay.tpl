{{/* A file of the kustomize folders, in the release's namespace. */}}
{{- define "berth.file" -}}
{{- $root := index . 0 -}}
{{- $root.Files.Get (printf "files/%s" (index . 1)) | replace "berth-system" $root.Release.Namespace -}}
{{- end -}}

{{/* The document of that kind in a file. Its numbers must be below 1,000,000: larger ones are written as 1e+06. */}}
{{- define "berth.document" -}}
{{- $kind := index . 2 -}}
{{- range splitList "\n---\n" (include "berth.file" .) }}{{ if regexMatch (printf "(?m)^kind: %s$" $kind) . }}{{ . }}{{ end }}{{ end -}}
{{- end -}}

{{- define "berth.image" -}}
{{- $tag := .image.tag | default .version -}}
{{- .image.repository }}{{ if hasPrefix "sha256:" $tag }}@{{ else }}:{{ end }}{{ $tag -}}
{{- end -}}

{{/* A Deployment with the values laid over it: list of document, values, image, checksum of its configuration. */}}
{{- define "berth.deployment" -}}
{{- $deployment := index . 0 -}}{{- $values := index . 1 -}}
{{- $template := $deployment.spec.template -}}
{{- $container := index $template.spec.containers 0 -}}
{{- $_ := set $container "image" (index . 2) -}}
{{- with $values.image.pullPolicy }}{{ $_ := set $container "imagePullPolicy" . }}{{ end -}}
{{- with $values.image.pullSecrets }}{{ $_ := set $template.spec "imagePullSecrets" . }}{{ end -}}
{{- with $values.resources }}{{ $_ := set $container "resources" . }}{{ end -}}
{{- if not (kindIs "invalid" $values.replicas) }}{{ $_ := set $deployment.spec "replicas" (int $values.replicas) }}{{ end -}}
{{- with $values.nodeSelector }}{{ $_ := set $template.spec "nodeSelector" . }}{{ end -}}
{{- with $values.tolerations }}{{ $_ := set $template.spec "tolerations" . }}{{ end -}}
{{- with $values.affinity }}{{ $_ := set $template.spec "affinity" . }}{{ end -}}
{{- with $values.podLabels }}{{ $_ := set $template.metadata "labels" (merge $template.metadata.labels .) }}{{ end -}}
{{- $_ := set $template.metadata "annotations" (merge (dict "berth.dev/config" (index . 3)) ($template.metadata.annotations | default dict) ($values.podAnnotations | default dict)) -}}
{{- toYaml $deployment -}}
{{- end -}}
