# What runs in a cluster and how. `define_NAME` writes how a component is started; `ready_NAME` waits until it answers.

ports() { # of this cluster, from its base
  port_etcd=$port_base port_etcd_peer=$((port_base + 1)) port_apiserver=$((port_base + 2)) port_scheduler=$((port_base + 3))
  port_plain=$((port_base + 4)) port_controller_manager=$((port_base + 5)) port_kwok=$((port_base + 6)) port_faults=$((port_base + 7)) port_berth=$((port_base + 8))
}

# Of Berth: one process, or replicas behind the front that leads to the leader; they follow it with their ports.
replicas() { local i; for ((i = 1; i <= replicas; i++)); do echo "berth-$i"; done; }
berths() { if ((replicas > 1)); then replicas; echo front; else echo berth; fi; }
port_of_replica() { echo $((port_berth + ${1#berth-})); }

# Of e2e/operators, where it started some here.
operators() { local file; for file in "$dir"/pids/operator-*; do [[ ! -e $file ]] || basename "$file"; done; }

orders() {
  order_up=(etcd kube-apiserver kwok kube-scheduler plain-scheduler kube-controller-manager faults $(berths))
  order_down=($(operators) front $(replicas) berth faults kube-scheduler plain-scheduler kwok kube-controller-manager kube-apiserver etcd)
}

leader() { # the replica that answers the verbs, else nothing
  local name
  for name in $(replicas); do
    if answers "http://127.0.0.1:$(port_of_replica "$name")/leadz" >/dev/null; then echo "$name"; return; fi
  done
}

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

answers() { # url, and the token's name where one is needed
  if [[ -n ${2:-} ]]; then
    curl -sf --noproxy '*' --max-time 5 --cacert "$dir/pki/apiserver.crt" -H "Authorization: Bearer $(<"$dir/pki/$2.token")" "$1"
  else
    curl -skf --noproxy '*' --max-time 5 "$1"
  fi
}

kubectl() { KUBECONFIG=${as:-$dir/admin.kubeconfig} "$bin/kubectl" --cache-dir="$dir/kubectl-cache" "$@"; }

# Go collects garbage when the heap has doubled; here, when it is five times as large. On two cores, which the load tests saturate, collecting
# took a sixth of kube-apiserver's time. The same for all of them, so also for the plain kube-scheduler that Berth is compared with.
garbage=400

define_etcd() {
  define etcd env GOGC="$garbage" "$bin/etcd" --name e2e --data-dir "$dir/etcd" --unsafe-no-fsync --quota-backend-bytes 4294967296 --log-level warn \
    --listen-client-urls "http://127.0.0.1:$port_etcd" --advertise-client-urls "http://127.0.0.1:$port_etcd" \
    --listen-peer-urls "http://127.0.0.1:$port_etcd_peer" --initial-advertise-peer-urls "http://127.0.0.1:$port_etcd_peer" \
    --initial-cluster "e2e=http://127.0.0.1:$port_etcd_peer"
}
ready_etcd() { await 120 "etcd answers" etcd answers "http://127.0.0.1:$port_etcd/health"; }

# TaintNodesByCondition taints every new node, and nobody here would take the taint off. ServiceAccount wants tokens for every pod.
define_kube_apiserver() {
  define kube-apiserver env GOGC="$garbage" "$bin/kube-apiserver" --etcd-servers="http://127.0.0.1:$port_etcd" \
    --bind-address=127.0.0.1 --advertise-address=127.0.0.1 --secure-port="$port_apiserver" --cert-dir="$dir/pki" \
    --service-cluster-ip-range=10.96.0.0/16 --allow-privileged=true --authorization-mode=RBAC --token-auth-file="$dir/pki/tokens.csv" \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$dir/pki/sa.pub" \
    --service-account-signing-key-file="$dir/pki/sa.key" --disable-admission-plugins=ServiceAccount,TaintNodesByCondition \
    --enable-priority-and-fairness=false --max-requests-inflight=2000 --max-mutating-requests-inflight=2000 ${apiserver_flags:-}
}
ready_kube_apiserver() {
  await 180 "kube-apiserver is ready" kube-apiserver answers "https://127.0.0.1:$port_apiserver/readyz" admin
  await 60 "the namespace default is there" kube-apiserver answers "https://127.0.0.1:$port_apiserver/api/v1/namespaces/default" admin
}

# qps and burst: the default of 50/100 caps what kube-scheduler can bind and patch
scheduler_config() { # identity
  cat <<END
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: "$dir/$1.kubeconfig", qps: 1000, burst: 2000}
leaderElection: {leaderElect: false}
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 2
END
}

define_scheduler() { # name, identity, port, flags of its own
  define "$1" env GOGC="$garbage" "$bin/kube-scheduler" --config="$dir/$1.yaml" --authentication-kubeconfig="$dir/$2.kubeconfig" \
    --authorization-kubeconfig="$dir/$2.kubeconfig" --bind-address=127.0.0.1 --secure-port="$3" --cert-dir="$dir/pki/$1" \
    --authorization-always-allow-paths=/healthz,/readyz,/livez,/metrics -v=2 "${@:4}"
}

extender_tls() {
  [[ $with_mtls == no ]] || printf ', enableHTTPS: true, tlsConfig: {caFile: "%s/ca.crt", certFile: "%s/berth-scheduler.crt", keyFile: "%s/berth-scheduler.key"}' \
    "$dir/pki/extender" "$dir/pki/extender" "$dir/pki/extender"
}

define_kube_scheduler() {
  local also= volumes='pluginConfig: [{name: VolumeBinding, args: {bindTimeoutSeconds: 60}}]'
  if [[ $with_kai == yes ]]; then also=", {schedulerName: kai-scheduler, percentageOfNodesToScore: 100, $volumes}"; fi
  if [[ $one_scheduler == yes ]]; then also+=', {schedulerName: default-scheduler, percentageOfNodesToScore: 100}'; fi
  { scheduler_config scheduler
    cat <<END
profiles: [{schedulerName: berth, percentageOfNodesToScore: 100, $volumes}$also]
extenders:
- {urlPrefix: "$extender_url", filterVerb: filter, prioritizeVerb: prioritize, preemptVerb: preempt, bindVerb: bind, weight: 15,
   nodeCacheCapable: true, ignorable: false, httpTimeout: 30s$(extender_tls)}
END
  } >"$dir/kube-scheduler.yaml"
  define_scheduler kube-scheduler scheduler "$port_scheduler" --feature-gates=OpportunisticBatching=false
}
ready_kube_scheduler() { await 120 "kube-scheduler is healthy" kube-scheduler answers "https://127.0.0.1:$port_scheduler/healthz"; }

define_plain_scheduler() {
  { scheduler_config plain; echo 'profiles: [{schedulerName: default-scheduler}]'; } >"$dir/plain-scheduler.yaml"
  define_scheduler plain-scheduler plain "$port_plain"
}
ready_plain_scheduler() { await 120 "the plain kube-scheduler is healthy" plain-scheduler answers "https://127.0.0.1:$port_plain/healthz"; }

# without node-lifecycle-controller, which taints fake nodes that renew no lease
define_kube_controller_manager() {
  define kube-controller-manager env GOGC="$garbage" "$bin/kube-controller-manager" --kubeconfig="$dir/managers.kubeconfig" \
    --authentication-kubeconfig="$dir/managers.kubeconfig" --authorization-kubeconfig="$dir/managers.kubeconfig" --bind-address=127.0.0.1 \
    --secure-port="$port_controller_manager" --cert-dir="$dir/pki/kube-controller-manager" --leader-elect=false \
    --service-account-private-key-file="$dir/pki/sa.key" --kube-api-qps=500 --kube-api-burst=1000 \
    --controllers=namespace-controller,garbage-collector-controller,job-controller,cronjob-controller,replicaset-controller,deployment-controller,statefulset-controller,disruption-controller,endpointslice-controller,pod-garbage-collector-controller,resourceclaim-controller,clusterrole-aggregation-controller,validatingadmissionpolicy-status-controller,resourcequota-controller
}
ready_kube_controller_manager() {
  await 120 "kube-controller-manager is healthy" kube-controller-manager answers "https://127.0.0.1:$port_controller_manager/healthz"
}

# no leases: nobody here reads them, and 500 nodes would renew 50 a second
define_kwok() {
  cp "$here/control-plane/stages.yaml" "$dir/stages.yaml"
  [[ ${kubelets_admit:-no} == no ]] || sed -i 's/# --kubelets-admit: //' "$dir/stages.yaml"
  define kwok env GOGC="$garbage" "$bin/kwok" --config="$dir/stages.yaml" --kubeconfig="$dir/kubelets.kubeconfig" --manage-all-nodes=false \
    --manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake --manage-nodes-with-label-selector= --manage-single-node= \
    --cidr=10.0.0.0/24 --node-ip=10.0.0.1 --node-lease-duration-seconds=0 --server-address="127.0.0.1:$port_kwok" -v WARN
}
ready_kwok() { await 120 "kwok is healthy" kwok answers "http://127.0.0.1:$port_kwok/healthz"; }

berth_tls() {
  [[ $with_mtls == no ]] || printf ', tls: {certificate: "%s/berth.crt", key: "%s/berth.key", clients: {ca: "%s/ca.crt", names: [berth-scheduler]}}' \
    "$dir/pki/extender" "$dir/pki/extender" "$dir/pki/extender"
}

# The one place that knows how Berth is started and what its file looks like. The program builds itself where that is needed, hence the patience.
# A single one has no lease: after a kill it is back at once. Replicas have a short one.
berth_file() { # name, port, lease
  local others=
  if [[ $one_scheduler == yes ]]; then others=', otherSchedulers: [default-scheduler]'; fi
  { printf 'extender: {listen: "127.0.0.1:%s"%s}\nholders: {namespace: berth-system, image: "busybox:1.37"}\nplan: {volumeBindTimeout: 60s}\nlease: %s\n' "$2" "$(berth_tls)$others" "$3"
    [[ $with_kai != yes ]] || printf 'kai: {inPlace: true}\nschedulers: [berth, kai-scheduler]\ndefaultQueue: default-queue\n'
  } | unless_configured >"$dir/$1.yaml"
  [[ -z ${berth_config:-} ]] || cat "$berth_config" >>"$dir/$1.yaml"
}
# A key that comes twice is an error: one that the file of --berth-config sets is left out here.
unless_configured() {
  local line
  while IFS= read -r line; do
    [[ -n ${berth_config:-} ]] && grep -q "^${line%%:*}:" "$berth_config" || printf '%s\n' "$line"
  done
}
# On two cores the optimizing compiler takes more of a Berth that lives for minutes than its code saves: of what it burns in the first
# 2,000 pods half. After 8,000 pods its code has saved more.
compiler() {
  if [[ $long_lived == no ]] && (($(nproc 2>/dev/null || echo 4) <= 2)); then echo -XX:TieredStopAtLevel=1; fi
}

define_berth() {
  berth_file berth "$port_berth" '{enabled: false}'
  define berth env BERTH_JAVA_OPTS="$(compiler) ${BERTH_JAVA_OPTS:-}" "$berth_program" serve --kubeconfig "$(berth_kubeconfig)" --config "$dir/berth.yaml"
}
ready_berth() { await 300 "Berth is ready" berth answers "http$([[ $with_mtls == no ]] || echo s)://127.0.0.1:$port_berth/readyz"; }

# A replica is the container of a pod: it writes on it. No kubelet has it.
replica_pods() {
  local name
  for name in $(replicas); do
    printf -- '---\n{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: berth-system, labels: {app.kubernetes.io/name: berth}}, ' "$name"
    printf 'spec: {schedulerName: none, securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}, containers: [{name: berth, image: none, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]}}\n'
  done | kubectl create -f -
}
define_replica() { # name
  berth_file "$1" "$(port_of_replica "$1")" "{duration: ${lease}s, renewDeadline: $((lease * 2 / 3))s, retryPeriod: 500ms}"
  define "$1" env POD_NAME="$1" POD_NAMESPACE=berth-system BERTH_JAVA_OPTS="$(compiler) ${BERTH_JAVA_OPTS:-}" "$berth_program" serve --kubeconfig "$(berth_kubeconfig)" --config "$dir/$1.yaml"
}
ready_replica() { await 300 "$1 is up" "$1" answers "http://127.0.0.1:$(port_of_replica "$1")/healthz"; }

# Between Berth and kube-apiserver, where it was asked for: writes go wrong, watches break.
define_faults() {
  define faults python3 "$here/lib/faults.py" "$port_faults" "$port_apiserver" "$dir/pki/apiserver.crt" "$faults"
  sed "s#https://127.0.0.1:$port_apiserver\"#http://127.0.0.1:$port_faults\"#; s#, certificate-authority: [^}]*##" "$dir/berth.kubeconfig" >"$dir/faults.kubeconfig"
}
ready_faults() { await 120 "the fault proxy answers" faults answers "http://127.0.0.1:$port_faults/readyz" berth; }
berth_kubeconfig() { if [[ $faults == none ]]; then echo "$dir/berth.kubeconfig"; else echo "$dir/faults.kubeconfig"; fi; }

define_front() {
  define front python3 "$here/lib/front.py" "$port_berth" $(for name in $(replicas); do port_of_replica "$name"; done)
}
ready_front() { await 120 "the front leads to the leader" front answers "http://127.0.0.1:$port_berth/leadz"; }

define_component() { case $1 in berth-*) define_replica "$1" ;; *) "define_${1//-/_}" ;; esac }
ready_component() { case $1 in berth-*) ready_replica "$1" ;; *) "ready_${1//-/_}" ;; esac }
