# Fake nodes: sixteen to a rack, four racks to a zone. A Node keeps the status that it is created with, so one request makes a Ready node.

node_json() { # number
  local n=$1 rack zone gpus=$gpus_per_node name taints=
  rack=$((n / 16)) zone=$((n / 64))
  name=$(printf 'node-%04d' "$n")
  local labels capacity
  labels="\"kubernetes.io/hostname\":\"$name\",\"kubernetes.io/os\":\"linux\",\"kubernetes.io/arch\":\"amd64\",\"type\":\"kwok\""
  labels+=",\"topology.kubernetes.io/region\":\"e2e\",\"topology.kubernetes.io/zone\":\"zone-$zone\",\"berth.dev/rack\":\"rack-$rack\""
  capacity="\"cpu\":\"$cpu\",\"memory\":\"$memory\",\"ephemeral-storage\":\"1Ti\",\"pods\":\"$pods_per_node\""
  if ((gpus > 0)); then
    labels+=",\"nvidia.com/gpu.present\":\"true\",\"nvidia.com/gpu.product\":\"$gpu_product\",\"nvidia.com/gpu.memory\":\"$gpu_memory\",\"nvidia.com/gpu.count\":\"$gpus\""
    capacity+=",\"nvidia.com/gpu\":\"$gpus\""
  fi
  printf '{"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":{%s},"annotations":{"kwok.x-k8s.io/node":"fake"}},' "$name" "$labels"
  printf '"spec":{},"status":{"capacity":{%s},"allocatable":{%s},"phase":"Running",' "$capacity" "$capacity"
  printf '"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","message":"ready","lastHeartbeatTime":"%s","lastTransitionTime":"%s"}],' "$born" "$born"
  printf '"addresses":[{"type":"InternalIP","address":"10.0.0.1"},{"type":"Hostname","address":"%s"}],' "$name"
  printf '"nodeInfo":{"architecture":"amd64","operatingSystem":"linux","kubeletVersion":"v1.36.3","kubeProxyVersion":"","containerRuntimeVersion":"kwok","kernelVersion":"","osImage":"fake","bootID":"","machineID":"","systemUUID":""}}}'
}

create_nodes() { # from, to (exclusive): one curl, sixteen requests at a time
  local from=$1 to=$2 n born answers made
  born=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  answers=$dir/nodes.answers
  for ((n = from; n < to; n++)); do
    ((n == from)) || echo next
    printf 'url = "https://127.0.0.1:%s/api/v1/nodes"\nheader = "Authorization: Bearer %s"\nheader = "Content-Type: application/json"\n' "$port_apiserver" "$(<"$dir/pki/admin.token")"
    printf 'cacert = "%s"\noutput = "/dev/null"\nwrite-out = "%%{http_code}\\n"\nnoproxy = "*"\n' "$dir/pki/apiserver.crt"
    printf 'data = "%s"\n' "$(node_json "$n" | sed 's/"/\\"/g')"
  done >"$dir/nodes.curl"
  curl -sS --parallel --parallel-max 16 --config "$dir/nodes.curl" >"$answers" 2>"$dir/logs/nodes.log" || true
  made=$(grep -c -E '^(201|409)$' "$answers" || true)
  rm -f "$dir/nodes.curl"
  ((made == to - from)) || fail "only $made of $((to - from)) nodes were created; the answers are in $answers, kube-apiserver's words in $dir/logs/kube-apiserver.log."
}
