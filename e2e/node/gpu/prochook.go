package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"

	oci "github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
)

// procHook shows the driver's files at /proc/driver of a container. It runs as an OCI createContainer hook, that is in the mount
// namespace of the container before its root is changed: runc itself mounts nothing below /proc.
func procHook(args []string) error {
	flags := flag.NewFlagSet("proc-hook", flag.ExitOnError)
	driver := flags.String("driver", driverDir, "folder of the driver's files")
	only := flags.String("only", "*", "folders of the GPUs to show, with commas; * shows all")
	flags.Parse(args)
	root, err := rootOfContainer()
	if err != nil {
		return err
	}
	target := filepath.Join(root, "proc/driver")
	if *only == "*" {
		return unix.Mount(*driver, target, "", unix.MS_BIND|unix.MS_REC, "")
	}
	if err := unix.Mount("tmpfs", target, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=0555"); err != nil {
		return err
	}
	gpus, err := readGPUs(*driver)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(target, "nvidia/gpus"), 0o755); err != nil {
		return err
	}
	for _, gpu := range gpus {
		if !slices.Contains(strings.Split(*only, ","), gpu.PCI) {
			continue
		}
		dir := filepath.Join(target, "nvidia/gpus", gpu.PCI)
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "information"), []byte(gpu.Information), 0o444); err != nil {
			return err
		}
	}
	return unix.Mount("", target, "", unix.MS_REMOUNT|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
}

func rootOfContainer() (string, error) {
	var state oci.State
	if err := json.NewDecoder(os.Stdin).Decode(&state); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(state.Bundle, "config.json"))
	if err != nil {
		return "", err
	}
	var spec oci.Spec
	if err := json.Unmarshal(text, &spec); err != nil {
		return "", err
	}
	if filepath.IsAbs(spec.Root.Path) {
		return spec.Root.Path, nil
	}
	return filepath.Join(state.Bundle, spec.Root.Path), nil
}
