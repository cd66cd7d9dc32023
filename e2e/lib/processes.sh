# Processes of one cluster: started from a script of their own in $dir/run, known by a file in $dir/pids.
# A pid is only ours while the process started when we say it did: pids are given out again.

say() { printf 'cluster: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# When it began, in words that stay the same; empty = no such process, or one that is over. `ps` counts back from the clock of now, so what it
# tells moves by a second when the clock is set; /proc tells ticks since the machine started.
birth() {
  local stat fields
  if [[ -r /proc/self/stat ]]; then
    { stat=$(<"/proc/$1/stat"); } 2>/dev/null || return 0
    read -ra fields <<<"${stat##*) }"
    [[ ${fields[0]} == Z ]] || echo "${fields[19]}"
  else
    ps -o lstart= -p "$1" 2>/dev/null || true
  fi
}

pid_of() { # the pid of a component that runs, else nothing
  local pid born
  [[ -r $dir/pids/$1 ]] || return 0
  { read -r pid; read -r born; } <"$dir/pids/$1"
  if [[ -n $born && $(birth "$pid" | xargs) == "$born" ]]; then echo "$pid"; fi
}

define() { # name, command… : how the component is started, now and after a kill
  local name=$1
  shift
  { printf '#!/bin/sh\nexec'; printf ' %q' "$@"; printf '\n'; } >"$dir/run/$name"
  chmod 700 "$dir/run/$name"
}

launch() {
  local name=$1 pid
  [[ -x $dir/run/$name ]] || fail "$name is not part of this cluster. It has: $(cd "$dir/run" && echo *)."
  [[ -z $(pid_of "$name") ]] || fail "$name runs already, pid $(pid_of "$name")."
  # away from the terminal and its signals; the descriptor of a lock is not handed on
  ${setsid:-} "$dir/run/$name" </dev/null >>"$dir/logs/$name.log" 2>&1 9>&- &
  pid=$!
  { echo "$pid"; birth "$pid" | xargs; } >"$dir/pids/$name"
}

alive() { # fails with the end of the log where a component has ended
  [[ -n $(pid_of "$1") ]] && return
  tail -n 15 "$dir/logs/$1.log" >&2 || true
  fail "$1 ended. Its last lines are above, all of them in $dir/logs/$1.log."
}

await() { # seconds, what, component that must live, command… : until the command succeeds
  local seconds=$1 what=$2 component=$3 until=$((SECONDS + $1))
  shift 3
  until "$@" >/dev/null 2>&1; do
    alive "$component"
    ((SECONDS < until)) || fail "$what: not within $seconds s. See $dir/logs/$component.log."
    sleep 0.1
  done
}

end() { # asks a component to end, and does not wait
  local pid
  pid=$(pid_of "$1")
  [[ -z $pid ]] || kill -TERM "$pid" 2>/dev/null || true
}

stop() { # asks it to end, kills it after ten seconds, and waits until it is gone
  local name=$1 tenths=0
  end "$name"
  while [[ -n $(pid_of "$name") ]]; do
    ((++tenths != 100)) || { say "$name did not end by itself within 10 s, killed"; kill -KILL "$(pid_of "$name")" 2>/dev/null || true; }
    sleep 0.1
  done
  rm -f "$dir/pids/$name"
}

strike() { # KILL, as a machine would fail
  local name=$1 pid
  pid=$(pid_of "$name")
  [[ -n $pid ]] || fail "$name does not run."
  kill -KILL "$pid"
  while [[ -n $(pid_of "$name") ]]; do sleep 0.02; done
  rm -f "$dir/pids/$name"
}
