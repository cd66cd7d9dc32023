package main

import (
	"slices"
	"strings"
	"testing"

	oci "github.com/opencontainers/runtime-spec/specs-go"
)

// edited runs the runtime's edit over a container with these variables, on a node with two GPUs and the CDI specs of plugin and toolkit.
func edited(t *testing.T, mode string, change func(*editor, *oci.Spec), env ...string) (*oci.Spec, error) {
	t.Helper()
	e := &editor{mode: mode, acceptEnvvar: true, driver: writeDriver(t), self: "/bin/simulated-nvidia", cdiDirs: []string{t.TempDir()}}
	gpus, err := readGPUs(e.driver)
	if err != nil {
		t.Fatal(err)
	}
	for name, spec := range map[string]func() error{
		"plugin":  func() error { return write(e.cdiDirs[0], "plugin.json", pluginSpec(gpus, "uuid")) },
		"toolkit": func() error { return write(e.cdiDirs[0], "toolkit.yaml", managementSpec(gpus)) },
	} {
		if err := spec(); err != nil {
			t.Fatal(name, err)
		}
	}
	spec := &oci.Spec{Process: &oci.Process{Env: env}, Root: &oci.Root{Path: "rootfs"}, Linux: &oci.Linux{}}
	if change != nil {
		change(e, spec)
	}
	return spec, e.edit(spec)
}

func gpuNodes(spec *oci.Spec) (paths []string) {
	for _, device := range spec.Linux.Devices {
		if strings.TrimLeft(strings.TrimPrefix(device.Path, "/dev/nvidia"), "0123456789") == "" {
			paths = append(paths, device.Path)
		}
	}
	return paths
}

func shown(spec *oci.Spec) string {
	args := spec.Hooks.CreateContainer[0].Args
	if at := slices.Index(args, "--only"); at >= 0 {
		return args[at+1]
	}
	return "all"
}

func TestModes(t *testing.T) {
	both := []string{"/dev/nvidia0", "/dev/nvidia1"}
	for _, c := range []struct {
		mode, value, variable, shown string
		nodes                        []string
	}{
		{"none", second, second, "all", nil},
		{"legacy", second, second, "0000:19:00.0", both[1:]},
		{"legacy", "1", "1", "0000:19:00.0", both[1:]},
		{"legacy", "all", "all", "0000:3b:00.0,0000:19:00.0", both},
		{"legacy", "void", "void", "all", nil},
		{"legacy", "", "", "all", nil},
		{"legacy", "none", "none", "", nil},
		{"legacy", pluginKind + "=" + second, "void", "all", both[1:]},
		{"jit-cdi", second, "void", "all", both[1:]},
		{"jit-cdi", "all", "void", "all", both},
		{"cdi", pluginKind + "=" + second, "void", "all", both[1:]},
		{"cdi", pluginKind + "=" + first + "," + pluginKind + "=" + second, "void", "all", both},
		{"cdi", "all", "void", "all", both},
		{"cdi", "void", "void", "all", nil},
		{"cdi", "", "", "all", nil},
	} {
		spec, err := edited(t, c.mode, nil, visibleDevices+"="+c.value)
		if err != nil {
			t.Errorf("%s %q: %v", c.mode, c.value, err)
			continue
		}
		if variable(spec, visibleDevices) != c.variable || shown(spec) != c.shown || !slices.Equal(gpuNodes(spec), c.nodes) {
			t.Errorf("%s %q: variable %q, shown %q, nodes %v", c.mode, c.value, variable(spec, visibleDevices), shown(spec), gpuNodes(spec))
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ mode, value, message string }{
		{"cdi", second, "failed to inject CDI devices: unresolvable CDI devices management.nvidia.com/gpu=" + second},
		{"cdi", "none", "unresolvable CDI devices management.nvidia.com/gpu=none"},
		{"legacy", "GPU-x", "nvidia-container-cli: device error: GPU-x: unknown device"},
		{"jit-cdi", "GPU-x", "unknown device: GPU-x"},
	} {
		if _, err := edited(t, c.mode, nil, visibleDevices+"="+c.value); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s %s: %v", c.mode, c.value, err)
		}
	}
}

func TestTheVariableOfUnprivilegedContainersCanBeIgnored(t *testing.T) {
	strict := func(e *editor, _ *oci.Spec) { e.acceptEnvvar = false }
	if spec, err := edited(t, "legacy", strict, visibleDevices+"=all"); err != nil || gpuNodes(spec) != nil {
		t.Errorf("%v, %v", gpuNodes(spec), err)
	}
	privileged := func(e *editor, spec *oci.Spec) {
		e.acceptEnvvar = false
		spec.Process.Capabilities = &oci.LinuxCapabilities{Bounding: []string{"CAP_SYS_ADMIN"}}
	}
	if spec, err := edited(t, "legacy", privileged, visibleDevices+"=all"); err != nil || len(gpuNodes(spec)) != 2 {
		t.Errorf("%v, %v", gpuNodes(spec), err)
	}
}

func TestAnnotationsOfTheContainerComeFirstInCdiMode(t *testing.T) {
	annotated := func(_ *editor, spec *oci.Spec) {
		spec.Annotations = map[string]string{"cdi.k8s.io/nvidia-device-plugin_1": pluginKind + "=" + first}
	}
	spec, err := edited(t, "cdi", annotated, visibleDevices+"="+second)
	if err != nil || !slices.Equal(gpuNodes(spec), []string{"/dev/nvidia0"}) {
		t.Errorf("%v, %v", gpuNodes(spec), err)
	}
}

func TestTheLastVariableCounts(t *testing.T) {
	spec, err := edited(t, "legacy", nil, visibleDevices+"=all", visibleDevices+"="+second)
	if err != nil || !slices.Equal(gpuNodes(spec), []string{"/dev/nvidia1"}) {
		t.Errorf("%v, %v", gpuNodes(spec), err)
	}
}

func TestSandboxesAreLeftAlone(t *testing.T) {
	sandbox := func(_ *editor, spec *oci.Spec) {
		spec.Annotations = map[string]string{"io.kubernetes.cri.container-type": "sandbox"}
	}
	if spec, err := edited(t, "legacy", sandbox, visibleDevices+"=all"); err != nil || spec.Hooks != nil {
		t.Errorf("%v, %v", spec.Hooks, err)
	}
}

func TestInvocation(t *testing.T) {
	call := parseInvocation(strings.Fields("--root /run/create --log /b/log.json --log-format json create --bundle /b --pid-file /b/pid name"))
	if call != (invocation{command: "create", bundle: "/b", log: "/b/log.json"}) {
		t.Errorf("%+v", call)
	}
	if call := parseInvocation(strings.Fields("--log=/l delete --force create")); call.command != "delete" || call.log != "/l" {
		t.Errorf("%+v", call)
	}
}

func TestNRIAnnotation(t *testing.T) {
	annotations := map[string]string{nriAnnotation + "main": pluginKind + "=" + first + "," + pluginKind + "=" + second, nriAnnotation + "managed": managementKind + "=all"}
	if names, err := devicesOf(annotations, "main"); err != nil || len(names) != 2 {
		t.Errorf("%v, %v", names, err)
	}
	if names, err := devicesOf(annotations, "other"); err != nil || names != nil {
		t.Errorf("%v, %v", names, err)
	}
	if _, err := devicesOf(annotations, "managed"); err == nil {
		t.Error("a management device was given")
	}
}
