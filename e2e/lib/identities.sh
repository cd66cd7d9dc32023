# Who is who: one token each, known to kube-apiserver from a file, so RBAC and the admission policies judge everybody as in a real cluster.

identities() { # file name, user, groups
  cat <<'END'
admin      admin                                                system:masters
berth      system:serviceaccount:berth-system:berth             system:serviceaccounts,system:serviceaccounts:berth-system
scheduler  system:serviceaccount:berth-system:berth-scheduler   system:serviceaccounts,system:serviceaccounts:berth-system
plain      system:kube-scheduler                                -
managers   system:kube-controller-manager                       system:masters
kubelets   kwok                                                 system:nodes,system:masters
alice      alice                                                tenants
bob        bob                                                  researchers
END
}

write_identities() {
  local name user groups token
  command -v openssl >/dev/null || fail "openssl is missing: the keys of the cluster are made with it. Install the package openssl."
  openssl genrsa -out "$dir/pki/sa.key" 2048 2>/dev/null
  openssl rsa -in "$dir/pki/sa.key" -pubout -out "$dir/pki/sa.pub" 2>/dev/null
  : >"$dir/pki/tokens.csv"
  while read -r name user groups; do
    token=$(openssl rand -hex 16)
    if [[ $groups == - ]]; then
      echo "$token,$user,$user" >>"$dir/pki/tokens.csv"
    else
      echo "$token,$user,$user,\"$groups\"" >>"$dir/pki/tokens.csv"
    fi
    echo "$token" >"$dir/pki/$name.token"
    cat >"$dir/$name.kubeconfig" <<END
apiVersion: v1
kind: Config
current-context: $name
clusters:
- name: e2e
  cluster: {server: "https://127.0.0.1:$port_apiserver", certificate-authority: "$dir/pki/apiserver.crt"}
users:
- name: $name
  user: {token: $token}
contexts:
- name: $name
  context: {cluster: e2e, user: $name, namespace: default}
END
  done < <(identities)
}
