package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"tags.cncf.io/container-device-interface/pkg/cdi"
	specs "tags.cncf.io/container-device-interface/specs-go"
)

const (
	visibleDevices = "NVIDIA_VISIBLE_DEVICES"
	cdiDir         = "/var/run/cdi"
	pluginKind     = "k8s.device-plugin.nvidia.com/gpu"
	managementKind = "management.nvidia.com/gpu"
	jitKind        = "runtime.nvidia.com/gpu"
	majorOfGPUs    = 195
	majorOfUVM     = 511
)

func deviceNode(path string, major, minor int64) *specs.DeviceNode {
	return &specs.DeviceNode{Path: path, Type: "c", Major: major, Minor: minor, Permissions: "rw"}
}

// controlDevices are those that every GPU container has.
func controlDevices() []*specs.DeviceNode {
	return []*specs.DeviceNode{deviceNode("/dev/nvidiactl", majorOfGPUs, 255), deviceNode("/dev/nvidia-uvm", majorOfUVM, 0)}
}

// cdiSpec describes devices as nvcdi does: every container that gets one reads "void" in the variable.
func cdiSpec(kind string, devices []specs.Device) *specs.Spec {
	spec := &specs.Spec{
		Kind:           kind,
		Devices:        devices,
		ContainerEdits: specs.ContainerEdits{Env: []string{visibleDevices + "=void"}, DeviceNodes: controlDevices()},
	}
	spec.Version, _ = specs.MinimumRequiredVersion(spec)
	return spec
}

func cdiDevice(name string, gpus ...GPU) specs.Device {
	device := specs.Device{Name: name}
	for _, gpu := range gpus {
		device.ContainerEdits.DeviceNodes = append(device.ContainerEdits.DeviceNodes, deviceNode(gpu.Path(), majorOfGPUs, gpu.Minor))
	}
	return device
}

// pluginSpec is what the device plugin writes: its GPUs by UUID or by index, and no device "all".
func pluginSpec(gpus []GPU, idStrategy string) *specs.Spec {
	var devices []specs.Device
	for index, gpu := range gpus {
		devices = append(devices, cdiDevice(nameOf(gpu, index, idStrategy), gpu))
	}
	return cdiSpec(pluginKind, devices)
}

func nameOf(gpu GPU, index int, idStrategy string) string {
	if idStrategy == "index" {
		return strconv.Itoa(index)
	}
	return gpu.UUID
}

// managementSpec is what container-toolkit writes: the device "all" and no other.
func managementSpec(gpus []GPU) *specs.Spec {
	return cdiSpec(managementKind, []specs.Device{cdiDevice("all", gpus...)})
}

func write(dir, name string, spec *specs.Spec) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	cache, err := cdi.NewCache(cdi.WithSpecDirs(dir), cdi.WithAutoRefresh(false))
	if err != nil {
		return err
	}
	return cache.WriteSpec(spec, name)
}

func toolkit(args []string) error {
	flags := flag.NewFlagSet("toolkit", flag.ExitOnError)
	driver := flags.String("driver", driverDir, "folder of the driver's files")
	dir := flags.String("cdi", cdiDir, "folder to write to")
	flags.Parse(args)
	gpus, err := readGPUs(*driver)
	if err != nil {
		return err
	}
	if len(gpus) == 0 {
		return fmt.Errorf("no GPUs in %s", filepath.Join(*driver, "nvidia/gpus"))
	}
	return write(*dir, "management.nvidia.com-gpu.yaml", managementSpec(gpus))
}
