package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	oci "github.com/opencontainers/runtime-spec/specs-go"
	"tags.cncf.io/container-device-interface/pkg/cdi"
	"tags.cncf.io/container-device-interface/pkg/parser"
	specs "tags.cncf.io/container-device-interface/specs-go"
)

// editor changes a container before runc creates it, as nvidia-container-runtime does.
type editor struct {
	mode         string // none, legacy, jit-cdi, cdi
	acceptEnvvar bool   // also where the container is not privileged
	driver, self string
	cdiDirs      []string
}

// edit applies the mode, and shows the container the driver's files: those of all GPUs, in legacy mode those of its own ones.
func (e *editor) edit(spec *oci.Spec) error {
	if spec.Annotations["io.kubernetes.cri.container-type"] == "sandbox" {
		return nil
	}
	gpus, err := readGPUs(e.driver)
	if err != nil {
		return err
	}
	hook := []string{"simulated-nvidia", "proc-hook", "--driver", e.driver}
	if e.mode != "none" {
		own, err := e.inject(spec, gpus)
		if err != nil {
			return err
		}
		if own != nil {
			hook = append(hook, "--only", strings.Join(own, ","))
		}
	}
	if spec.Hooks == nil {
		spec.Hooks = &oci.Hooks{}
	}
	spec.Hooks.CreateContainer = append(spec.Hooks.CreateContainer, oci.Hook{Path: e.self, Args: hook})
	return nil
}

// inject gives the container its devices. It returns the folders of the only GPUs that the container may see in /proc, nil for all.
func (e *editor) inject(spec *oci.Spec, gpus []GPU) ([]string, error) {
	requested, err := e.requested(spec)
	if err != nil || len(requested) == 0 {
		return nil, err
	}
	qualified := !slices.ContainsFunc(requested, func(name string) bool { return !parser.IsQualifiedName(name) })
	switch {
	case e.mode == "cdi" || qualified: // with qualified names alone, mode auto is mode cdi
		return nil, e.injectCDI(spec, requested)
	case e.mode == "jit-cdi":
		return nil, e.injectMade(spec, gpus, requested)
	default:
		return e.injectLegacy(spec, gpus, requested)
	}
}

// requested lists the devices: in mode cdi those of the container's annotations, else those of the variable.
func (e *editor) requested(spec *oci.Spec) ([]string, error) {
	if e.mode == "cdi" {
		if _, names, err := cdi.ParseAnnotations(spec.Annotations); err != nil || len(names) > 0 {
			return names, err
		}
	}
	value := variable(spec, visibleDevices)
	if value == "" || value == "void" {
		return nil, nil
	}
	if !e.acceptEnvvar && !privileged(spec) {
		log.Printf("ignores %s=%s of an unprivileged container", visibleDevices, value)
		return nil, nil
	}
	return strings.Split(value, ","), nil
}

func (e *editor) injectCDI(spec *oci.Spec, requested []string) error {
	var names []string
	for _, name := range requested {
		if !parser.IsQualifiedName(name) {
			name = managementKind + "=" + name
		}
		names = append(names, name)
	}
	cache, err := cdi.NewCache(cdi.WithSpecDirs(e.cdiDirs...), cdi.WithAutoRefresh(false))
	if err != nil {
		return err
	}
	if _, err := cache.InjectDevices(spec, names...); err != nil {
		return fmt.Errorf("could not apply required modification to OCI specification: error modifying OCI spec: failed to inject CDI devices: %w", err)
	}
	return nil
}

// injectMade makes a CDI spec for this container alone.
func (e *editor) injectMade(spec *oci.Spec, gpus []GPU, requested []string) error {
	own, err := chosen(gpus, requested, "failed to create CDI spec: unknown device: %s")
	if err != nil {
		return err
	}
	made := cdiSpec(jitKind, []specs.Device{cdiDevice("chosen", own...)})
	edits := cdi.ContainerEdits{ContainerEdits: &made.ContainerEdits}
	edits.Append(&cdi.ContainerEdits{ContainerEdits: &made.Devices[0].ContainerEdits})
	return edits.Apply(spec)
}

// injectLegacy does as nvidia-container-cli: the variable stays, and /proc shows the container's own GPUs alone.
func (e *editor) injectLegacy(spec *oci.Spec, gpus []GPU, requested []string) ([]string, error) {
	own, err := chosen(gpus, requested, "error running prestart hook #0: exit status 1, stdout: , stderr: nvidia-container-cli: device error: %s: unknown device")
	if err != nil {
		return nil, err
	}
	edits := cdi.ContainerEdits{ContainerEdits: &specs.ContainerEdits{DeviceNodes: controlDevices()}}
	shown := []string{}
	for _, gpu := range own {
		edits.DeviceNodes = append(edits.DeviceNodes, deviceNode(gpu.Path(), majorOfGPUs, gpu.Minor))
		shown = append(shown, gpu.PCI)
	}
	return shown, edits.Apply(spec)
}

func chosen(gpus []GPU, requested []string, unknown string) ([]GPU, error) {
	var own []GPU
	for _, name := range requested {
		switch name {
		case "all":
			return gpus, nil
		case "none":
			continue
		}
		gpu, known := find(gpus, name)
		if !known {
			return nil, fmt.Errorf(unknown, name)
		}
		own = append(own, gpu)
	}
	return own, nil
}

func variable(spec *oci.Spec, name string) (value string) {
	if spec.Process == nil {
		return ""
	}
	for _, env := range spec.Process.Env { // the last one counts
		if key, text, _ := strings.Cut(env, "="); key == name {
			value = text
		}
	}
	return value
}

func privileged(spec *oci.Spec) bool {
	return spec.Process != nil && spec.Process.Capabilities != nil && slices.Contains(spec.Process.Capabilities.Bounding, "CAP_SYS_ADMIN")
}

// invocation is how runc was called.
type invocation struct {
	command, bundle, log string
}

func parseInvocation(args []string) invocation {
	call := invocation{bundle: "."}
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		takesValue := slices.Contains([]string{"--log", "--log-format", "--root", "--rootless", "--criu", "--bundle", "-b", "--pid-file", "--console-socket", "--preserve-fds"}, name)
		if takesValue && !joined && i+1 < len(args) {
			i++
			value = args[i]
		}
		switch {
		case name == "--bundle" || name == "-b":
			call.bundle = value
		case name == "--log":
			call.log = value
		case !strings.HasPrefix(name, "-") && call.command == "":
			call.command = name
		}
	}
	return call
}

func (e *editor) editBundle(bundle string) error {
	file := filepath.Join(bundle, "config.json")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var spec oci.Spec
	if err := json.Unmarshal(text, &spec); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := e.edit(&spec); err != nil {
		return err
	}
	if text, err = json.Marshal(&spec); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// tell writes an error where containerd's shim reads runc's errors.
func tell(file string, problem error) {
	if file == "" {
		return
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return
	}
	defer out.Close()
	json.NewEncoder(out).Encode(map[string]string{"level": "error", "msg": problem.Error(), "time": time.Now().Format(time.RFC3339)})
}

func runtime(args []string) error {
	flags := flag.NewFlagSet("runtime", flag.ExitOnError)
	e := &editor{cdiDirs: []string{"/etc/cdi", cdiDir}}
	flags.StringVar(&e.mode, "mode", "none", "none, legacy, jit-cdi or cdi")
	flags.BoolVar(&e.acceptEnvvar, "accept-envvar", true, "take the variable from unprivileged containers, too")
	flags.StringVar(&e.driver, "driver", driverDir, "folder of the driver's files")
	runc := flags.String("runc", "/usr/sbin/runc", "the runtime to run")
	journal := flags.String("journal", "", "file for what the runtime does")
	flags.Parse(args)
	var err error
	if e.self, err = os.Executable(); err != nil {
		return err
	}
	if *journal != "" {
		out, err := os.OpenFile(*journal, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		log.SetOutput(out)
	}
	if !slices.Contains([]string{"none", "legacy", "jit-cdi", "cdi"}, e.mode) {
		return fmt.Errorf("--mode is %q, but must be none, legacy, jit-cdi or cdi", e.mode)
	}
	if call := parseInvocation(flags.Args()); call.command == "create" {
		if err := e.editBundle(call.bundle); err != nil {
			log.Print(err)
			tell(call.log, err)
			return err
		}
	}
	err = syscall.Exec(*runc, append([]string{"runc"}, flags.Args()...), os.Environ())
	return errors.Join(fmt.Errorf("%s could not be run", *runc), err)
}
