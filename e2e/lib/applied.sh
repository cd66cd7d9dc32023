# kube-apiserver reads kinds, rights and policies by watches of its own. So what was applied holds some moments later, on a busy machine some
# seconds; until then a kind is not found, a right is refused, and a pod is born without a gate.

apiserver_answers() { answers "https://127.0.0.1:$port_apiserver$1" "$2"; } # path, who

kinds_served() {
  local path paths
  paths=$(kubectl get customresourcedefinitions -o 'jsonpath={range .items[*]}/apis/{.spec.group}/{.spec.versions[0].name}/{.spec.names.plural}{"\n"}{end}') || return 1
  [[ -n $paths ]] || return 1
  for path in $paths; do apiserver_answers "$path?limit=1" admin || return 1; done
}

# Of Berth and its kube-scheduler, and of alice, who got hers last.
rights_known() {
  apiserver_answers '/api/v1/pods?limit=1' berth && apiserver_answers '/api/v1/pods?limit=1' scheduler &&
    apiserver_answers '/apis/berth.dev/v1alpha1/namespaces/default/podgroups?limit=1' alice
}

# One more policy of either sort, made after all others. Policies are read in the order in which they were made and put in force together: once
# these two are in force, so are all before them.
last_policies() {
  local sort tried does
  for sort in Validating Mutating; do
    if [[ $sort == Validating ]]; then
      tried=e2e-judged does='validations: [{expression: "false", message: "judged by the last policy"}]'
    else
      tried=e2e-changed does='reinvocationPolicy: Never, mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {\"by\": \"the-last-policy\"}}}"}}]'
    fi
    cat <<END
---
apiVersion: admissionregistration.k8s.io/v1
kind: ${sort}AdmissionPolicy
metadata: {name: e2e-last}
spec:
  {matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]},
   matchConditions: [{name: tried, expression: "object.metadata.name == '$tried'"}], $does}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ${sort}AdmissionPolicyBinding
metadata: {name: e2e-last}
spec: {policyName: e2e-last$([[ $sort == Mutating ]] || echo ', validationActions: [Deny]')}
END
  done
}

last_policies_judge() {
  [[ $(kubectl create configmap e2e-judged --dry-run=server 2>&1) == *'judged by the last policy'* ]] &&
    [[ $(kubectl create configmap e2e-changed --dry-run=server -o 'jsonpath={.metadata.labels.by}') == the-last-policy ]]
}

policies_in_force() {
  last_policies | kubectl create -f - >>"$dir/logs/apply.log" 2>&1 || { tail -5 "$dir/logs/apply.log" >&2; fail "kube-apiserver refused the policies that come last, see above."; }
  await 120 "the admission policies are in force" kube-apiserver last_policies_judge
  last_policies | kubectl delete -f - >>"$dir/logs/apply.log" 2>&1 || fail "the policies that come last could not be deleted, see $dir/logs/apply.log."
}
