package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/dynamic-resource-allocation/resourceslice"
)

type gpu struct {
	minor int
	uuid  string
}

func (g gpu) name() string { return "gpu-" + strconv.Itoa(g.minor) }

// The GPUs of the node by their minor number.
func readGPUs(dir string) (map[string]gpu, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "information"))
	if err != nil {
		return nil, err
	}
	gpus := map[string]gpu{}
	for _, file := range files {
		found, err := readGPU(file)
		if err != nil {
			return nil, err
		}
		gpus[found.name()] = found
	}
	return gpus, nil
}

func readGPU(file string) (gpu, error) {
	found := gpu{minor: -1}
	opened, err := os.Open(file)
	if err != nil {
		return found, err
	}
	defer opened.Close()
	lines := bufio.NewScanner(opened)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(name) {
		case "GPU UUID":
			found.uuid = value
		case "Device Minor":
			if found.minor, err = strconv.Atoi(value); err != nil {
				return found, fmt.Errorf("%s: Device Minor is %q, but must be a number", file, value)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return found, err
	}
	if found.minor < 0 || found.uuid == "" {
		return found, fmt.Errorf("%s has no line \"Device Minor\" or no line \"GPU UUID\"", file)
	}
	return found, nil
}

// One pool of the node's name. With shares "memory" a claim that names no memory consumes all of it.
func resourcesOf(s settings, gpus map[string]gpu) (resourceslice.DriverResources, error) {
	memory, err := resource.ParseQuantity(s.memory)
	if err != nil {
		return resourceslice.DriverResources{}, fmt.Errorf("--memory is %q, but must be a quantity like 81559Mi", s.memory)
	}
	step := resource.MustParse("1Mi")
	most := *resource.NewQuantity(memory.Value()/step.Value()*step.Value(), resource.BinarySI)
	var names []string
	for name := range gpus {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return gpus[names[i]].minor < gpus[names[j]].minor })
	devices := []resourceapi.Device{}
	for _, name := range names {
		device := resourceapi.Device{
			Name: name,
			Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
				"type":        {StringValue: new("gpu")},
				"uuid":        {StringValue: new(gpus[name].uuid)},
				"productName": {StringValue: new(s.product)},
			},
			Capacity: map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{"memory": {Value: most}},
		}
		if s.shares == "memory" {
			device.AllowMultipleAllocations = new(true)
			device.Capacity["memory"] = resourceapi.DeviceCapacity{
				Value: most,
				RequestPolicy: &resourceapi.CapacityRequestPolicy{
					Default:    new(most.DeepCopy()),
					ValidRange: &resourceapi.CapacityRequestPolicyRange{Min: new(step.DeepCopy()), Max: new(most.DeepCopy()), Step: new(step.DeepCopy())},
				},
			}
		}
		devices = append(devices, device)
	}
	return resourceslice.DriverResources{Pools: map[string]resourceslice.Pool{s.node: {Slices: []resourceslice.Slice{{Devices: devices}}}}}, nil
}
