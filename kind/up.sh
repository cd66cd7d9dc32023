#!/usr/bin/env bash
# Berth on a laptop: a kind cluster whose nodes pretend to have GPUs, and the product as a user installs it.
#
#   kind/up.sh                 one control plane, four workers with eight pretended GPUs each
#   NODES=2 GPUS=4 kind/up.sh
#   WITH=helm kind/up.sh       by the chart; WITH=mtls by kustomize with certificates by openssl; default: kustomize
#   kind/up.sh demo            a gang, shares, a queue that takes back what it lent: kind/demo, told step by step
#   kind/up.sh down
#
# This script was written where no Docker is, and was never run. e2e/install tries the same manifests on a real control plane without containers.
#
# Needs Docker (or Podman with its Docker socket), kind and kubectl. Pods get pretended GPUs to count, not to compute with: share and gang
# examples are placed, but `nvidia-smi` is not there. Kubernetes 1.36 or newer: name a node image by KIND_NODE where kind's own is older.
set -euo pipefail
cd "$(dirname "$0")/.."
name=${CLUSTER:-berth} nodes=${NODES:-4} gpus=${GPUS:-8} image=${IMAGE:-berth:dev} with=${WITH:-kustomize}

say() { printf 'kind: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
need() { command -v "$1" >/dev/null || fail "$1 is missing: $2"; }

need docker "install Docker Desktop, Rancher Desktop, Colima or Docker Engine. Without Docker, ./berth demo shows the same on a simulated cluster."
docker info >/dev/null 2>&1 || fail "Docker is installed but does not answer. Start it and try again. Without Docker, ./berth demo shows the same on a simulated cluster."
need kind "see https://kind.sigs.k8s.io/docs/user/quick-start/#installation"
need kubectl "see https://kubernetes.io/docs/tasks/tools/"

if [[ ${1:-up} == down ]]; then
  kind delete cluster --name "$name"
  exit
fi
kubectl=(kubectl --context "kind-$name")
if [[ ${1:-up} == demo ]]; then
  KUBECTL="${kubectl[*]}" exec kind/demo/play
fi
[[ ${1:-up} == up ]] || fail "$1 is not a command: up (default), demo or down."
[[ $with == kustomize || $with == helm || $with == mtls ]] || fail "WITH is \"$with\", but must be kustomize, helm or mtls."
[[ $with != helm ]] || need helm "see https://helm.sh/docs/intro/install/"
if ! docker image inspect "$image" >/dev/null 2>&1; then
  [[ $image == berth:dev ]] || fail "there is no image $image."
  say "building the image berth:dev"
  ./mvnw -B -ntp -q -Pimages -DskipTests -pl cli -am -Dberth.image.architecture="$(docker info -f '{{.Architecture}}' | sed 's/x86_64/amd64/; s/aarch64/arm64/')" package
  docker load --input cli/target/berth-image.tar
fi

if ! kind get clusters 2>/dev/null | grep -qx "$name"; then
  say "creating the cluster $name with $nodes workers"
  {
    printf 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n- role: control-plane\n'
    for ((n = 0; n < nodes; n++)); do printf -- '- role: worker\n'; done
  } | kind create cluster --name "$name" --config - ${KIND_NODE:+--image "$KIND_NODE"}
fi
"${kubectl[@]}" get --raw /apis/admissionregistration.k8s.io/v1 | grep -q '"mutatingadmissionpolicies"' ||
  fail "the cluster's Kubernetes is older than 1.36, which Berth's policies need. Name a newer node image by KIND_NODE (https://github.com/kubernetes-sigs/kind/releases)."

say "pretending $gpus GPUs on each worker"
rack=0
for node in $("${kubectl[@]}" get nodes -l '!node-role.kubernetes.io/control-plane' -o name); do
  "${kubectl[@]}" patch "$node" --subresource status --type json -p \
    "[{\"op\": \"add\", \"path\": \"/status/capacity/nvidia.com~1gpu\", \"value\": \"$gpus\"}, {\"op\": \"add\", \"path\": \"/status/allocatable/nvidia.com~1gpu\", \"value\": \"$gpus\"}]" >/dev/null
  "${kubectl[@]}" label --overwrite "$node" nvidia.com/gpu.present=true nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3 nvidia.com/gpu.memory=81559 \
    "nvidia.com/gpu.count=$gpus" topology.kubernetes.io/zone=zone-0 "berth.dev/rack=rack-$((rack++ / 2))" >/dev/null
done

say "installing Berth ($with)"
kind load docker-image --name "$name" "$image"
version=$("${kubectl[@]}" version -o json | sed -n '/serverVersion/,$ s/.*"gitVersion": "\(v[0-9.]*\).*/\1/p' | head -1)
"${kubectl[@]}" apply -k crds
"${kubectl[@]}" wait --for condition=established crd --all --timeout=60s
case $with in
  helm)
    helm --kube-context "kind-$name" upgrade --install berth manifests/helm/berth --namespace berth-system --create-namespace --set crds.install=false \
      --set "image.repository=${image%:*},image.tag=${image##*:}" ;;
  *)
    overlay=default
    if [[ $with == mtls ]]; then
      overlay=mtls
      certificates=$(mktemp -d)
      trap 'rm -rf "$certificates"' EXIT
      manifests/mtls/certificates "$certificates"
      "${kubectl[@]}" apply -f manifests/base/namespace.yaml
      manifests/mtls/certificates "$certificates" --secrets | "${kubectl[@]}" apply -f -
    fi
    "${kubectl[@]}" apply -k "manifests/$overlay"
    "${kubectl[@]}" -n berth-system set image deployment/berth "berth=$image"
    "${kubectl[@]}" -n berth-system set image deployment/berth-scheduler "kube-scheduler=registry.k8s.io/kube-scheduler:$version" ;;
esac
"${kubectl[@]}" -n berth-system rollout status deployment/berth --timeout=180s
"${kubectl[@]}" -n berth-system rollout status deployment/berth-scheduler --timeout=180s
"${kubectl[@]}" apply -f examples/queues.yaml -f examples/topology.yaml

say "ready. Try: kind/up.sh demo, or kubectl --context kind-$name apply -f examples/gang.yaml"
