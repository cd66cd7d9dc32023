# One node: its folder, its processes, its GPUs.
#
#   $dir/settings      what `up` was asked for        $dir/driver        /proc/driver of the node: its GPUs
#   $dir/run/WHAT      how a component is started      $dir/health/N      "unhealthy" or "gone" for GPU N
#   $dir/pids/WHAT     its PID in the node's namespace $dir/lib, varlog   /var/lib and /var/log of the node
#   $dir/log/WHAT.log  what it prints                  $dir/pid, outer    the first process, and its parent, on the machine

components=(containerd nri-plugin kubelet device-plugin dra-driver)
v1=(cpu cpuacct cpuset memory devices freezer blkio pids hugetlb net_cls net_prio perf_event systemd) # hierarchies of cgroup v1, where they are mounted
cgroup_root=/sys/fs/cgroup

say() { printf 'node: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# The first reason why no node can run here; nothing where it can.
why_not() {
  local program probe=$cgroup_root/berth-check-$$ controller
  [[ $(uname) == Linux ]] || { echo "this is $(uname), and a kubelet needs Linux."; return; }
  [[ $(id -u) == 0 ]] || { echo "this user is not root, and a kubelet needs root."; return; }
  for program in unshare nsenter setsid curl sha256sum; do
    command -v $program >/dev/null || { echo "$program is missing. Install it (Debian: util-linux, curl, coreutils)."; return; }
  done
  runc --version >/dev/null 2>&1 || { echo "runc is missing. Install it (Debian: apt-get install --no-install-recommends runc)."; return; }
  if [[ ! -x /bin/busybox ]] || ldd /bin/busybox >/dev/null 2>&1; then
    echo "/bin/busybox is missing or not static. Install it (Debian: apt-get install --no-install-recommends busybox-static)."
    return
  fi
  [[ -r /dev/kmsg ]] || { echo "/dev/kmsg cannot be read, and a kubelet reads it: this may be a container without privileges."; return; }
  [[ -d /proc/driver ]] || { echo "/proc/driver is missing, where the simulated GPUs are shown."; return; }
  unshare --mount --pid --fork --mount-proc --propagation private sh -c 'mount -t tmpfs tmpfs /run && mount --bind /run /proc/driver' 2>/dev/null ||
    { echo "no mount and PID namespaces can be made here: this may be a container without CAP_SYS_ADMIN."; return; }
  if [[ -e $cgroup_root/cgroup.controllers ]]; then
    for controller in cpu memory pids cpuset; do
      [[ " $(<"$cgroup_root/cgroup.controllers") " == *" $controller "* ]] || { echo "cgroup v2 is mounted without its controller $controller."; return; }
    done
    { echo +cpu +memory +pids +cpuset >"$cgroup_root/cgroup.subtree_control" && mkdir "$probe" && rmdir "$probe"; } 2>/dev/null ||
      { echo "no cgroups can be made in $cgroup_root: it is read-only, or its controllers cannot be delegated."; return; }
    return
  fi
  for controller in cpu cpuacct cpuset memory devices pids; do
    probe=$cgroup_root/$controller/berth-check-$$
    { mkdir "$probe" && rmdir "$probe"; } 2>/dev/null || { echo "no cgroups can be made in $cgroup_root/$controller, and a kubelet needs them."; return; }
  done
}

valid_name() {
  [[ $name =~ ^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$ ]] || fail "the node's name is \"$name\", but must be lowercase letters, digits and -, like real-0. See e2e/node/node help."
}
one_of() { # option, value, allowed…
  [[ " ${*:3} " == *" $2 "* ]] || fail "$1 is \"$2\", but must be one of: ${*:3}."
}
number() { [[ $2 =~ ^[0-9]+$ ]] || fail "$1 is \"$2\", but must be a whole number."; }

recall() {
  [[ -r $dir/settings ]] || fail "there is no node $name in $base. Start one with: e2e/node/node up $name"
  source "$dir/settings"
}
component() { # the second word is the name of a component of this node
  [[ -x $dir/run/${words[1]:-none} ]] || fail "$name has no component \"${words[1]:-}\". It has: $(cd "$dir/run" && echo *)."
}

inside() { nsenter -t "$(<"$dir/pid")" -m -p -w/ env PATH="$bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$@"; }
is_on() { [[ -s $dir/pid ]] && kill -0 "$(<"$dir/pid")" 2>/dev/null; }
running() { is_on && [[ -s $dir/pids/$1 ]] && inside kill -0 "$(<"$dir/pids/$1")" 2>/dev/null; }

await() { # seconds, what, command…
  local until=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < until)) || fail "$name: $what: not within the time. The logs are in $dir/log."
    sleep 0.05
  done
}

start() { # component, more arguments…
  is_on || fail "$name is off. Switch it on with: e2e/node/node on $name"
  ! running "$1" || fail "$1 of $name runs already."
  rm -f "$dir/pids/$1"
  # shellcheck disable=SC2016 # expanded in the node
  inside setsid -f sh -c 'echo $$ >"$1.part" && mv "$1.part" "$1" && shift && exec "$@"' - "$dir/pids/$1" "$dir/run/$1" "${@:2}" </dev/null >>"$dir/log/$1.log" 2>&1
  await 5 "$1 starts" test -s "$dir/pids/$1"
}

stop() { # component, signal: waits until the process is gone
  local pid until=$((SECONDS + 20))
  running "$1" || { rm -f "$dir/pids/$1"; return 0; }
  pid=$(<"$dir/pids/$1")
  inside kill "-$2" "$pid" 2>/dev/null || true
  while inside kill -0 "$pid" 2>/dev/null; do
    ((SECONDS < until)) || { say "$1 of $name did not end within 20 s, killed"; inside kill -KILL "$pid" 2>/dev/null || true; }
    sleep 0.02
  done
  rm -f "$dir/pids/$1"
}

# --- GPUs

uuid_of() { # a UUID that is always the same for the same words
  sha256sum <<<"$*" | sed -E 's/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/GPU-\1-\2-4\3-8\4-\5/'
}
pci_of() { printf '0000:%02x:00.0' $((0x18 + $1)); }
information() { echo "$dir/driver/nvidia/gpus/$(pci_of "$1")/information"; }
write_gpu() { # number, UUID: as the driver prints it, with a tab and a space
  local file
  file=$(information "$1")
  mkdir -p "$(dirname "$file")"
  printf '%s\t %s\n' 'Model: ' "NVIDIA H100 80GB HBM3" 'IRQ:   ' $((100 + $1)) 'GPU UUID: ' "$2" 'Video BIOS: ' '96.00.74.00.01' 'Bus Type: ' PCIe \
    'DMA Size: ' '52 bits' 'DMA Mask: ' 0xfffffffffffff 'Bus Location: ' "$(pci_of "$1")" 'Device Minor: ' "$1" 'GPU Firmware: ' 580.82.07 'GPU Excluded: ' No >"$dir/information.part"
  chmod 444 "$dir/information.part"
  mv "$dir/information.part" "$file"
}
uuid_now() { sed -n 's/^GPU UUID:[[:space:]]*//p' "$(information "$1")"; }
list_gpus() {
  local number
  for ((number = 0; number < gpus; number++)); do
    echo "$number $(uuid_now "$number") $(cat "$dir/health/$number" 2>/dev/null || echo healthy)"
  done
}
change_gpu() { # number, what, UUID
  number "the GPU" "${1:-}"
  (($1 < gpus)) || fail "the GPU is $1, but $name has $gpus: 0 to $((gpus - 1))."
  case ${2:-} in
    healthy) rm -f "$dir/health/$1" ;;
    unhealthy | gone) echo "$2" >"$dir/health.part"; mv "$dir/health.part" "$dir/health/$1" ;;
    replace) write_gpu "$1" "${3:-$(uuid_of "$(uuid_now "$1") replaced")}" ;;
    *) fail "GPU $1: \"${2:-}\" is not one of: healthy, unhealthy, gone, replace." ;;
  esac
}

# --- files of a node

define() { # component, command…
  local component=$1
  shift
  { printf '#!/bin/sh\nexec'; printf ' %q' "$@"; printf ' "$@"\n'; } >"$dir/run/$component"
  chmod 755 "$dir/run/$component"
}

handler() { # name, mode: a runtime handler of containerd
  printf '#!/bin/sh\nexec %q runtime --mode=%q --accept-envvar=%q --runc=%q --journal=%q -- "$@"\n' \
    "$bin/simulated-nvidia" "$2" "$accept_envvar" "$(command -v runc)" "$dir/log/runtime-$1.log" >"$dir/handlers/$1"
  chmod 755 "$dir/handlers/$1"
  cat <<END
    [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.$1]
      runtime_type = "io.containerd.runc.v2"
      container_annotations = ["cdi.k8s.io/*"]
      [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.$1.options]
        BinaryName = "$dir/handlers/$1"
        SystemdCgroup = false
END
}

# restrict_oom_score_adj: without CAP_SYS_RESOURCE runc fails ("can't get final child's PID"). native: overlay may be missing.
containerd_config() {
  cat <<END
version = 3
root = "/var/lib/containerd"
state = "/run/containerd"
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins.'io.containerd.nri.v1.nri']
  disable = $([[ $nri == yes ]] && echo false || echo true)
  socket_path = "/var/run/nri/nri.sock"
  plugin_path = "$dir/none"
  plugin_config_path = "$dir/none"
[plugins.'io.containerd.cri.v1.images']
  snapshotter = "native"
  [plugins.'io.containerd.cri.v1.images'.pinned_images]
    sandbox = "registry.k8s.io/pause:3.10"
[plugins.'io.containerd.cri.v1.runtime']
  restrict_oom_score_adj = true
  enable_cdi = true
  cdi_spec_dirs = ["/etc/cdi", "/var/run/cdi"]
  [plugins.'io.containerd.cri.v1.runtime'.cni]
    bin_dirs = ["$dir/cni/bin"]
    conf_dir = "$dir/cni/conf"
    use_internal_loopback = true
  [plugins.'io.containerd.cri.v1.runtime'.containerd]
    default_runtime_name = "$default_runtime"
END
  handler runc none
  if [[ $runtime_mode != none ]]; then
    handler nvidia "$runtime_mode"
    handler nvidia-cdi cdi
    handler nvidia-legacy legacy
  fi
}

# cgroupsPerQOS wants its root made before. protectKernelDefaults: a kubelet that finds a sysctl different fails, and changes none of this machine's.
kubelet_config() {
  cat <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: 127.0.0.1
port: $port
readOnlyPort: 0
healthzBindAddress: 127.0.0.1
healthzPort: $((port + 1))
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
cgroupDriver: cgroupfs
cgroupRoot: /$cgroup
cgroupsPerQOS: true
enforceNodeAllocatable: []
failCgroupV1: false
failSwapOn: false
protectKernelDefaults: true
makeIPTablesUtilChains: false
oomScoreAdj: 0
resolvConf: ""
clusterDNS: [127.0.0.1]
imageGCHighThresholdPercent: 100
imageMinimumGCAge: 24h
evictionHard: {memory.available: "0%", nodefs.available: "0%", nodefs.inodesFree: "0%", imagefs.available: "0%", imagefs.inodesFree: "0%"}
nodeStatusUpdateFrequency: 1s
nodeLeaseDurationSeconds: 40
volumePluginDir: /var/lib/kubelet/volume-plugins
END
}

gpu_labels() { # as gpu-feature-discovery writes them
  local product=NVIDIA-H100-80GB-HBM3
  ((gpus > 0)) || return 0
  [[ $plugin != dra ]] || return 0 # its ResourceSlices tell it
  if [[ $plugin == gke ]]; then
    echo "cloud.google.com/gke-accelerator=nvidia-h100-80gb"
    return
  fi
  ((replicas == 1)) || product+=-SHARED
  echo "nvidia.com/gpu.present=true,nvidia.com/gpu.product=$product,nvidia.com/gpu.memory=81559,nvidia.com/gpu.count=$gpus,nvidia.com/gpu.replicas=$replicas,nvidia.com/mig.strategy=none,nvidia.com/gpu.sharing-strategy=$( ((replicas == 1)) && echo none || echo time-slicing)"
}

write_files() {
  local number all_labels
  mkdir -p "$dir"/{run,pids,log,health,driver/nvidia/gpus,handlers,cni/bin,cni/conf,lib/{kubelet,containerd,cni},varlog}
  for ((number = 0; number < gpus; number++)); do write_gpu "$number" "$(uuid_of "$dir" "$number")"; done
  printf 'NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.82.07  Release Build\n' >"$dir/driver/nvidia/version"
  cp "$here/cni-loopback-only" "$dir/cni/bin/loopback-only"
  echo '{"cniVersion": "1.0.0", "name": "none", "plugins": [{"type": "loopback-only"}]}' >"$dir/cni/conf/10-none.conflist"
  containerd_config >"$dir/containerd.toml"
  kubelet_config >"$dir/kubelet.yaml"
  # As system:node:NAME: the Node authorizer and NodeRestriction judge this kubelet as they do any other.
  (umask 077; sed "s#user: {token: \([^}]*\)}#user: {token: \1, as: \"system:node:$name\", as-groups: [\"system:nodes\"]}#" "$kubeconfig" >"$dir/kubeconfig")
  grep -q "as: \"system:node:$name\"" "$dir/kubeconfig" || fail "$kubeconfig is not a kubeconfig of e2e/cluster: it has no line like \"user: {token: …}\"."
  all_labels=$(gpu_labels)${labels:+,$labels}
  define containerd "$bin/containerd" --config "$dir/containerd.toml"
  define kubelet "$bin/kubelet" --config="$dir/kubelet.yaml" --kubeconfig="$dir/kubeconfig" --hostname-override="$name" --node-labels="${all_labels#,}" --v=2
  if ((gpus > 0)) && [[ $plugin == dra ]]; then
    define dra-driver "$bin/simulated-dra-driver" --node="$name" --kubeconfig="$dir/kubeconfig" --consumable-shares="$consumable_shares" \
      --dynamic-mig="$([[ $dynamic_mig == yes ]] && echo true || echo false)"
  elif ((gpus > 0)) && [[ $plugin != none ]]; then
    define device-plugin "$bin/simulated-nvidia" device-plugin --strategy="$strategy" --id-strategy="$id_strategy" --replicas="$replicas" --health="$dir/health" \
      --gke="$([[ $plugin == gke ]] && echo true || echo false)" --pass-device-specs="$([[ $pass_device_specs == yes ]] && echo true || echo false)"
  fi
  [[ $nri == no ]] || define nri-plugin "$bin/simulated-nvidia" nri-plugin
}

# --- power

# The first process of the namespaces: mounts what is the node's own, then waits. Bash reaps what is left to it.
first() {
  local file
  recall
  mount --make-rprivate /
  mount -t tmpfs -o mode=755 tmpfs "$dir/dev" # device nodes of GPUs, without those of the machine
  cp -a --one-file-system /dev/. "$dir/dev/"
  for file in pts shm; do mkdir -p "$dir/dev/$file"; mount --rbind "/dev/$file" "$dir/dev/$file"; done
  gpu_device_nodes
  mount --rbind "$dir/dev" /dev
  mount -t tmpfs -o mode=755 tmpfs /run
  [[ /var/run -ef /run ]] || mount --bind /run /var/run
  mount --bind "$dir/lib" /var/lib
  mount --bind "$dir/varlog" /var/log
  mount --bind "$dir/driver" /proc/driver
  bind_value kernel/random/boot_id "$(cat /proc/sys/kernel/random/uuid)" # a node that is switched on has another boot ID
  for file in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
    bind_value "${file%=*}" "${file#*=}"
  done
  mount --make-rshared /
  touch "$dir/mounted"
  trap 'exit 0' TERM
  while :; do sleep 1000000 & wait $! || true; done
}
bind_value() { # a sysctl of the machine, and what this node reads there
  [[ -e /proc/sys/$1 ]] || return 0
  mkdir -p "$dir/sysctl/${1%/*}"
  echo "$2" >"$dir/sysctl/$1"
  mount --bind "$dir/sysctl/$1" "/proc/sys/$1"
}
gpu_device_nodes() {
  local number
  ((gpus > 0)) || return 0
  mknod -m 666 "$dir/dev/nvidiactl" c 195 255
  mknod -m 666 "$dir/dev/nvidia-uvm" c 511 0
  for ((number = 0; number < gpus; number++)); do mknod -m 666 "$dir/dev/nvidia$number" c 195 "$number"; done
}

make_cgroups() {
  local controller file
  if [[ -e $cgroup_root/cgroup.controllers ]]; then
    echo +cpu +memory +pids +cpuset >"$cgroup_root/cgroup.subtree_control"
    mkdir -p "$cgroup_root/$cgroup"
    return
  fi
  for controller in "${v1[@]}"; do
    [[ ! -d $cgroup_root/$controller ]] || mkdir -p "$cgroup_root/$controller/$cgroup"
  done
  for file in cpus mems; do cat "$cgroup_root/cpuset/cpuset.$file" >"$cgroup_root/cpuset/$cgroup/cpuset.$file"; done
}
# The deepest first; a cgroup whose last process has just ended may be busy for a moment. Old ones would delay a kubelet by 50 s.
remove_cgroups() {
  local tries
  for ((tries = 0; tries < 100; tries++)); do
    find "$cgroup_root" -depth -type d -path "*/$cgroup*" -exec rmdir {} + 2>/dev/null || true
    [[ -n $(find "$cgroup_root" -maxdepth 2 -name "$cgroup") ]] || return 0
    sleep 0.1
  done
  say "cgroups of $name are left: $(find "$cgroup_root" -maxdepth 2 -name "$cgroup" | head -1)"
}

healthy() { curl -sf --noproxy '*' --max-time 2 "http://127.0.0.1:$((port + 1))/healthz"; }
containerd_answers() { inside ctr version; }

power_on() { # seconds from the kubelet's start to the device plugin's
  ! is_on || fail "$name is on already."
  rm -f "$dir/mounted" "$dir"/pids/*
  mkdir -p "$dir/dev"
  make_cgroups
  setsid unshare --mount --pid --fork --kill-child --mount-proc --propagation private "$here/node" first "$name" --dir "$base" </dev/null >>"$dir/log/first.log" 2>&1 &
  echo $! >"$dir/outer"
  await 10 "its namespaces are made (see first.log)" test -e "$dir/mounted"
  pgrep -P "$(<"$dir/outer")" >"$dir/pid"
  if ((gpus > 0)) && [[ $runtime_mode == cdi ]]; then inside simulated-nvidia toolkit; fi
  start containerd
  await 60 "containerd answers" containerd_answers
  if [[ ! -e $dir/imported ]]; then
    inside ctr -n k8s.io images import "$base/images.tar" >>"$dir/log/import.log" 2>&1 || fail "containerd does not take the images, see $dir/log/import.log."
    touch "$dir/imported"
  fi
  [[ ! -x $dir/run/nri-plugin ]] || start nri-plugin
  start kubelet
  await 60 "the kubelet is healthy" healthy
  [[ ! -x $dir/run/dra-driver ]] || start dra-driver
  if [[ -x $dir/run/device-plugin ]]; then
    if [[ $1 == 0 ]]; then start device-plugin; else start device-plugin "--start-after=$1s"; fi
  fi
}

power_off() { # what is on disk stays
  local pid=''
  [[ ! -s $dir/outer ]] || pid=$(<"$dir/outer")
  if is_on; then kill -KILL "$(<"$dir/pid")" 2>/dev/null || true; fi
  if [[ -n $pid ]] && grep -qs unshare "/proc/$pid/comm"; then
    while kill -0 "$pid" 2>/dev/null; do kill -KILL "$pid" 2>/dev/null || true; sleep 0.02; done
  fi
  rm -f "$dir/pid" "$dir/outer" "$dir"/pids/*
  remove_cgroups
}

# --- up and down

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

check_up() {
  local reason strategies each
  reason=$(why_not)
  [[ -z $reason ]] || fail "no real node can run here: $reason"
  [[ ! -e $dir ]] || fail "there is a node $name in $base already. Stop it with: e2e/node/node down $name"
  number --port "$port"; number --gpus "$gpus"; number --replicas "$replicas"; number --plugin-late "$plugin_late"
  ((gpus <= 16)) || fail "--gpus is $gpus, but must be 16 or less."
  ((replicas >= 1)) || fail "--replicas is $replicas, but must be 1 or more."
  one_of --runtime-mode "$runtime_mode" legacy jit-cdi cdi none
  one_of --default-runtime "$default_runtime" runc nvidia
  one_of --id-strategy "$id_strategy" uuid index
  one_of --plugin "$plugin" nvidia gke dra none
  one_of --consumable-shares "$consumable_shares" memory disabled
  one_of --accept-envvar "$accept_envvar" true false
  IFS=, read -ra strategies <<<"$strategy"
  for each in "${strategies[@]}"; do one_of --strategy "$each" envvar cdi-cri cdi-annotations; done
  [[ $default_runtime == runc || $runtime_mode != none ]] || fail "--default-runtime is nvidia, but --runtime-mode none leaves that handler out."
  : "${kubeconfig:=$cluster/admin.kubeconfig}"
  [[ $kubeconfig == /* ]] || kubeconfig=$PWD/$kubeconfig
  [[ -r $kubeconfig ]] || fail "there is no kubeconfig $kubeconfig. Start a cluster with: e2e/cluster up --real-nodes"
  for each in "$port" $((port + 1)); do ! listens "$each" || fail "port $each is taken by another process. Give another --port than $port (and $((port + 1)))."; done
}

ready() { # the Node is Ready, and offers its GPUs where their plugin is not late
  if [[ -x $dir/run/dra-driver ]]; then
    "$kubectl" --kubeconfig "$kubeconfig" --cache-dir "$dir/kubectl-cache" get resourceslices --field-selector "spec.nodeName=$name" -o name | grep -q . || return 1
  fi
  local status wanted=$((gpus * replicas))
  status=$("$kubectl" --kubeconfig "$kubeconfig" --cache-dir "$dir/kubectl-cache" get node "$name" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status} {.status.allocatable.nvidia\.com/gpu}') || return 1
  if [[ $plugin_late != 0 || ! -x $dir/run/device-plugin || $wanted == 0 ]]; then [[ $status == True* ]]; else [[ $status == "True $wanted" ]]; fi
}

up() {
  local began=$SECONDS variable
  plugin_late=${late:-0}
  [[ $plugin != gke ]] || replicas=1
  check_up
  bin=$("$here/../control-plane/build" node) || exit 1
  kubectl=$("$here/../control-plane/build" --where)/kubectl
  cgroup=berth-$name-$(cksum <<<"$dir" | cut -d' ' -f1)
  mkdir -p "$dir"
  for variable in "${settings[@]}"; do printf '%s=%q\n' "$variable" "${!variable}"; done >"$dir/settings"
  trap 'say "$name did not come up, and is stopped again. Its logs: $dir/log"; power_off' EXIT
  write_files
  images
  power_on "$plugin_late"
  await 60 "the node is Ready and offers its GPUs" ready
  trap - EXIT
  say "$name is Ready with $gpus GPUs after $((SECONDS - began)) s. Its folder: $dir"
}

images() { # made once for all nodes of a folder
  ( flock 9; [[ -e $base/images.tar ]] || "$here/image" "$base/images.tar" ) 9>"$base/images.lock"
}

down() {
  [[ -d $dir ]] || { say "there is no node $name in $base"; return 0; }
  [[ ! -r $dir/settings ]] || { recall; power_off; forget_node; }
  rm -rf "$dir"
}
# What a cloud provider and the garbage collector of pods do about a node that is gone. Not if no API server answers.
forget_node() {
  listens "$(sed -n 's#.*server: "https://127.0.0.1:\([0-9]*\)".*#\1#p' "$kubeconfig" 2>/dev/null || true)" || return 0
  local admin=("$kubectl" --kubeconfig "$kubeconfig" --cache-dir "$dir/kubectl-cache" --request-timeout 20s)
  { "${admin[@]}" delete node "$name" --ignore-not-found --wait=false && "${admin[@]}" delete pods -A --field-selector "spec.nodeName=$name" --force --grace-period=0 --wait=false; } >>"$dir/log/down.log" 2>&1 ||
    say "the Node $name or its pods could not be deleted: $(tail -1 "$dir/log/down.log")"
}
down_all() {
  local each
  for each in "$base"/*/settings; do
    [[ -e $each ]] || continue
    dir=$(dirname "$each") name=$(basename "$(dirname "$each")")
    down
  done
  rm -f "$base/images.tar" "$base/images.lock"
  rmdir "$base" 2>/dev/null || true
}
