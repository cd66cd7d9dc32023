# How each operator is fetched, built, installed and started (e2e/operators).

modules=$here/lib/operators/modules
cache=${BERTH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/berth}/operators

names() { awk '!/^#/ {printf "%s%s", sep, $1; sep = " "} END {print ""}' "$modules"; }
known() { [[ " $(names) " == *" $1 "* ]] || fail "$1 is not an operator. There are: $(names)"; }
field() { awk -v name="$1" -v n="$2" '$1 == name {print $n}' "$modules"; }

check_go() {
  command -v go >/dev/null || fail "Go is missing. Install Go $(awk '$1 == "go" {print $2}' "$here/control-plane/go.mod") or newer (https://go.dev/dl)."
}

# The folder of the module's files in Go's own cache, when its sum is the pinned one: no database of sums need answer.
fetch() { # name
  local told sum
  check_go
  told=$(cd "$here/lib/operators" && GOTOOLCHAIN=local GO111MODULE=on GOFLAGS= GONOSUMDB='*' go mod download -json "$(field "$1" 2)@$(field "$1" 3)") ||
    fail "$1 could not be fetched: $(sed -n 's/^\t"Error": //p' <<<"$told")"
  sum=$(sed -n 's/^\t"Sum": "\(.*\)",*$/\1/p' <<<"$told")
  [[ $sum == "$(field "$1" 4)" ]] || fail "the files of $1 have the sum $sum, but $(field "$1" 4) is pinned in $modules."
  sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p' <<<"$told"
}

# Prints the program. Two at once are safe: the second waits for the first.
build() ( # name
  local name=$1 source folder=$cache/$1-$(field "$1" 3) started=$SECONDS
  [[ $(field "$name" 5) != - ]] || fail "of $name the CRDs alone are used here."
  if [[ ! -x $folder/$name ]]; then
    source=$(fetch "$name")
    mkdir -p "$folder"
    if command -v flock >/dev/null; then exec 9>"$cache/lock"; flock 9; fi
    if [[ ! -x $folder/$name ]]; then
      say "building $name $(field "$name" 3)"
      source=$(edited "$name" "$source" "$folder/source")
      (cd "$source" && GOTOOLCHAIN=local CGO_ENABLED=0 GOFLAGS=-mod=readonly nice go build -p 2 -trimpath -buildvcs=false -ldflags "-s -w" \
        -o "$folder/$name.new" "$(field "$name" 5)") >&2 ||
        fail "$name could not be built. The lines above are the Go compiler's."
      mv "$folder/$name.new" "$folder/$name"
      rm -rf "$folder/source"
      say "built $name in $((SECONDS - started)) s"
    fi
  fi
  echo "$folder/$name"
)

# Lines of an operator's source that are replaced, as no flag changes them: what listens on all addresses listens on loopback, and certificates
# are read from the folder of the cluster.
replacements() { # name: file, and what sed does to it
  case $1 in
    training-operator)
      printf '%s\t%s\n' cmd/training-operator.v1/main.go 's/^\t\t\tPort: webhookServerPort,/&\n\t\t\tHost: "127.0.0.1",\n\t\t\tCertDir: os.Getenv("WEBHOOK_CERTIFICATES"),/' \
        pkg/cert/cert.go 's/CertDir:        certDir,/CertDir:        os.Getenv("WEBHOOK_CERTIFICATES"),/' ;;
    trainer)
      printf '%s\t%s\n' cmd/trainer-controller-manager/main.go 's/^\t\t\tPort:    webhookServerPort,/&\n\t\t\tHost: "127.0.0.1",\n\t\t\tCertDir: os.Getenv("WEBHOOK_CERTIFICATES"),/' \
        pkg/util/cert/cert.go 's/CertDir:        certDir,/CertDir:        os.Getenv("WEBHOOK_CERTIFICATES"),/' ;;
    mpi-operator) printf '%s\t%s\n' cmd/mpi-operator/app/server.go 's/fmt.Sprintf(":%d", healthCheckPort)/os.Getenv("HEALTH_ADDRESS")/; s/, healthCheckPort)/, os.Getenv("HEALTH_ADDRESS"))/; s/Start listening to %d/Start listening to %s/; /^\thealthCheckPort = 8080$/d' ;;
    argo) printf '%s\t%s\n' cmd/workflow-controller/main.go 's/http.ListenAndServe(":6060", nil)/http.ListenAndServe(os.Getenv("HEALTH_ADDRESS"), nil)/' ;;
  esac
}

# A copy of the module's files with these lines replaced; the files themselves where none are. (Go takes no overlay of its own cache.)
edited() { # name, its source, where a copy is kept
  local file edit edits
  edits=$(replacements "$1")
  if [[ -z $edits ]]; then echo "$2"; return; fi
  rm -rf "$3"
  cp -r "$2" "$3"
  chmod -R u+w "$3"
  while IFS=$'\t' read -r file edit; do
    sed -i "$edit" "$3/$file"
    ! cmp -s "$2/$file" "$3/$file" || fail "$file of $1 is not as expected: nothing in it was replaced."
  done <<<"$edits"
  echo "$3"
}

# Three ports each, after those of the cluster: webhooks, health, metrics.
port_of() { # name, 0 to 2
  local index
  index=$(awk -v name="$1" '!/^#/ {if ($1 == name) print n + 0; n++}' "$modules")
  echo $((port_base + 40 + 3 * index + $2))
}

# Of operators that look after their certificate themselves, in a Secret: its name as namespace/name, and the names that must stand in a certificate,
# or they replace it.
rotated() { # name
  case $1 in
    training-operator) echo kubeflow/training-operator-webhook-cert training-operator-ca training-operator.kubeflow.svc ;;
    trainer) echo kubeflow-system/kubeflow-trainer-webhook-cert kubeflow-trainer-ca kubeflow-trainer-controller-manager.kubeflow-system.svc ;;
  esac
}

# A certificate that is its own authority, for the webhooks of one operator.
certificate() { # name
  local folder=$dir/pki/operator-$1
  mkdir -p "$folder"
  if [[ ! -e $folder/tls.crt ]]; then
    # the key in its traditional form, which alone the rotator of some operators reads
    openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj "/CN=$1" -addext "subjectAltName=IP:127.0.0.1$(rotated "$1" | sed 's/[^ ]* / /; s/ /,DNS:/g')" \
      -keyout "$folder/key" -out "$folder/crt" 2>/dev/null && openssl rsa -traditional -in "$folder/key" -out "$folder/tls.key" 2>/dev/null ||
      fail "openssl could not make a certificate for $1."
    mv "$folder/crt" "$folder/tls.crt"
    rm "$folder/key"
  fi
  echo "$folder"
}

# The operator's webhook configurations, which lead to its port here instead of to a Service.
webhooks() { # name, kustomization
  kubectl kustomize "$2" | awk -v RS='\n---\n' -v ORS='\n---\n' '/kind: (Mutating|Validating)WebhookConfiguration/' |
    awk -v url="https://127.0.0.1:$(port_of "$1" 0)" -v ca="$(base64 -w0 <"$(certificate "$1")/tls.crt")" -v name="$1" '
      /^  labels:$/ {labels = 1; next}
      labels && /^    / {next}
      {labels = 0}
      /^  name: / && !named {print "  name: " ($2 ~ /^(mutating|validating)-webhook-configuration$/ ? name "-" $2 : $2); print "  labels: {e2e/operator: " name "}"; named = 1; next}
      /^kind: / {kind = $2; named = 0}
      /^    service:$/ {service = 1; next}
      service && /^      path: / {print "    url: " url $2; print "    caBundle: " ca; service = 0; next}
      service && /^      / {next}
      {service = 0; print}'
}

kinds() { # name
  local source file
  source=$(fetch "$1")
  # server-side: the schemas are larger than the annotation that client-side apply keeps
  find "$source/$(field "$1" 6)" -name '*.yaml' -exec grep -l '^kind: CustomResourceDefinition' {} + | LC_ALL=C sort |
    while read -r file; do
      if skipped "$1" "$file"; then continue; fi
      kubectl apply --server-side --force-conflicts -f "$file" >>"$dir/logs/operators.log" || fail "kube-apiserver refused $file."
      # an operator that starts before its kinds are served may end at once (mpi-operator does)
      await 60 "the kinds of $file are served" kube-apiserver kubectl wait --for=condition=Established --timeout=5s -f "$file"
    done
}

install() { # name
  local name=$1 source
  [[ -z $(pid_of "operator-$name") ]] || fail "$name runs already."
  kinds "$name"
  source=$(fetch "$name")
  as_of "$name"
  if [[ $(field "$name" 7) != - ]]; then
    webhooks "$name" "$source/$(field "$name" 7)" | kubectl apply -f - >>"$dir/logs/operators.log"
  fi
  if [[ -n $(rotated "$name") ]]; then secret "$name"; fi
  launch "operator-$name"
}

secret() { # name
  local folder where
  folder=$(certificate "$1") where=$(rotated "$1" | cut -d' ' -f1)
  { kubectl create namespace "${where%/*}" --dry-run=client -o yaml; echo ---
    kubectl create secret generic "${where#*/}" -n "${where%/*}" --dry-run=client -o yaml \
      --from-file=ca.crt="$folder/tls.crt" --from-file=ca.key="$folder/tls.key" --from-file=tls.crt="$folder/tls.crt" --from-file=tls.key="$folder/tls.key"
  } | kubectl apply -f - >>"$dir/logs/operators.log"
}

skipped() { # name, file: CRDs that another operator brings, in the version that the examples use
  [[ $1/$(basename "$2") == training-operator/kubeflow.org_mpijobs.yaml ]]
}

ready() { # name
  await 120 "$1 is healthy" "operator-$1" answers "http://127.0.0.1:$(port_of "$1" 1)/$(health_of "$1")"
  [[ $(field "$1" 7) == - ]] || await 120 "the webhooks of $1 listen" "operator-$1" listens "$(port_of "$1" 0)"
  if [[ $1 == trainer ]]; then kubectl apply --server-side -f "$(fetch trainer)/manifests/base/runtimes/torch_distributed.yaml" >>"$dir/logs/operators.log"; fi
}
health_of() { case $1 in mpi-operator | argo | volcano-*) echo healthz ;; *) echo readyz ;; esac; }

# Writes how an operator is started.
as_of() { # name
  local name=$1 program=$cache/$1-$(field "$1" 3)/$1 health metrics webhook file=$dir/operator-$1.yaml
  webhook=$(port_of "$name" 0) health=127.0.0.1:$(port_of "$name" 1) metrics=127.0.0.1:$(port_of "$name" 2)
  local with=(env KUBECONFIG="$dir/managers.kubeconfig" GOGC=200 HEALTH_ADDRESS="$health" WEBHOOK_CERTIFICATES="$dir/pki/operator-$name")
  case $name in
    jobset | lws)
      cat >"$file" <<END
apiVersion: config.$([[ $name == jobset ]] && echo jobset.x-k8s.io || echo lws.x-k8s.io)/v1alpha1
kind: Configuration
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
webhook: {host: 127.0.0.1, port: $webhook, certDir: "$(certificate "$name")"}
health: {healthProbeBindAddress: "$health"}
metrics: {bindAddress: "0"}
clientConnection: {qps: 200, burst: 400}
END
      define "operator-$name" "${with[@]}" "$program" --config "$file" --leader-elect=false --metrics-bind-address=0 ;;
    kueue)
      cat >"$file" <<END
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
leaderElection: {leaderElect: false, resourceName: kueue}
internalCertManagement: {enable: false}
webhook: {host: 127.0.0.1, port: $webhook, certDir: "$(certificate "$name")"}
health: {healthProbeBindAddress: "$health"}
metrics: {bindAddress: "0"}
clientConnection: {qps: 200, burst: 400}
integrations: {frameworks: [batch/job]}
END
      # where it does not make its certificates itself, it wants those of metrics here, though metrics are off
      mkdir -p /etc/kueue/metrics && ln -sfn "$(certificate "$name")" /etc/kueue/metrics/certs \
        || fail "operators: kueue reads /etc/kueue/metrics/certs, which cannot be made. Make /etc/kueue a folder of yours."
      # its server of visibility would listen on all addresses
      define "operator-$name" "${with[@]}" "$program" --config "$file" --feature-gates VisibilityOnDemand=false ;;
    volcano-scheduler)
      kubectl create namespace volcano-system --dry-run=client -o yaml | kubectl apply -f - >>"$dir/logs/operators.log"
      cat >"$file" <<END
actions: "enqueue, allocate, preempt, reclaim, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: conformance}]
- plugins: [{name: overcommit}, {name: drf}, {name: predicates}, {name: proportion}, {name: nodeorder}, {name: binpack}]
END
      define "operator-$name" "${with[@]}" "$program" --kubeconfig "$dir/managers.kubeconfig" --leader-elect=false --scheduler-conf "$file" \
        --enable-healthz --healthz-address "$health" --listen-address "$metrics" --cache-dumper=false --schedule-period 500ms ;;
    volcano-controllers)
      kubectl create namespace volcano-system --dry-run=client -o yaml | kubectl apply -f - >>"$dir/logs/operators.log"
      define "operator-$name" "${with[@]}" "$program" --kubeconfig "$dir/managers.kubeconfig" --leader-elect=false --enable-healthz --healthz-address "$health" ;;
    kuberay) # fake kubelets run no Ray: a double answers for the dashboards of all clusters, as the proxy of plain HTTP
      command -v python3 >/dev/null || fail "python3 is missing: the double of Ray's dashboards is written in it. Install it."
      define operator-ray-dashboard python3 "$here/lib/ray-dashboard.py" "$webhook"
      [[ -n $(pid_of operator-ray-dashboard) ]] || launch operator-ray-dashboard
      define "operator-$name" "${with[@]}" HTTP_PROXY="http://127.0.0.1:$webhook" "$program" --metrics-addr "$metrics" --health-probe-bind-address "$health" \
        --enable-leader-election=false ;;
    training-operator)
      define "operator-$name" "${with[@]}" "$program" --metrics-bind-address=0 --health-probe-bind-address="$health" --webhook-server-port="$webhook" \
        --enable-scheme=pytorchjob --enable-scheme=tfjob --enable-scheme=xgboostjob --enable-scheme=jaxjob --enable-scheme=paddlejob ;;
    trainer) define "operator-$name" "${with[@]}" "$program" --metrics-bind-address=0 --health-probe-bind-address="$health" --webhook-server-port="$webhook" ;;
    mpi-operator) define "operator-$name" "${with[@]}" "$program" --kubeConfig "$dir/managers.kubeconfig" --lock-namespace default --kube-api-qps 100 --kube-api-burst 200 ;;
    argo)
      kubectl create configmap workflow-controller-configmap --from-literal=metricsConfig='{enabled: false}' --dry-run=client -o yaml | kubectl apply -f - >>"$dir/logs/operators.log"
      # no executor runs here, so nothing reports the results of a step
      define "operator-$name" "${with[@]}" LEADER_ELECTION_DISABLE=true TASK_RESULT_TIMEOUT_DURATION=1s "$program" --kubeconfig "$dir/managers.kubeconfig" \
        --executor-image argoexec ;;
    *) fail "how $name is started is not written." ;;
  esac
}
