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
	part  string // a MIG device of it; empty = all of it
}

// A MIG profile of an H100 with 80 GiB: its number, and the memory slices where it can begin.
type profile struct {
	name            string
	id              int
	multiprocessors int64
	memory          string
	slices          int
	starts          []int
}

const memorySlices, allMultiprocessors = 8, 132

var profiles = []profile{
	{"3g.40gb", 9, 60, "40448Mi", 4, []int{0, 4}},
	{"1g.10gb", 19, 16, "9856Mi", 1, []int{0, 1, 2, 3, 4, 5, 6}},
}

func (p profile) device(g gpu, start int) string {
	return fmt.Sprintf("%s-mig-%s-%d-%d", g.name(), strings.ReplaceAll(p.name, ".", ""), p.id, start)
}

// All that can be allocated, by the name of the device.
func withPartitions(gpus map[string]gpu) map[string]gpu {
	all := map[string]gpu{}
	for name, whole := range gpus {
		all[name] = whole
		for _, p := range profiles {
			for _, start := range p.starts {
				all[p.device(whole, start)] = gpu{minor: whole.minor, uuid: whole.uuid, part: p.device(whole, start)}
			}
		}
	}
	return all
}

func counters(multiprocessors int64, memory resource.Quantity, start, slices int) map[string]resourceapi.Counter {
	all := map[string]resourceapi.Counter{
		"multiprocessors": {Value: *resource.NewQuantity(multiprocessors, resource.DecimalSI)},
		"memory":          {Value: memory},
	}
	for slice := start; slice < start+slices; slice++ {
		all["memory-slice-"+strconv.Itoa(slice)] = resourceapi.Counter{Value: *resource.NewQuantity(1, resource.DecimalSI)}
	}
	return all
}

func partitionsOf(whole gpu, product, set string) []resourceapi.Device {
	var devices []resourceapi.Device
	for _, p := range profiles {
		for _, start := range p.starts {
			memory := resource.MustParse(p.memory)
			devices = append(devices, resourceapi.Device{
				Name: p.device(whole, start),
				Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
					"type":        {StringValue: new("mig")},
					"parentUUID":  {StringValue: new(whole.uuid)},
					"profile":     {StringValue: new(p.name)},
					"productName": {StringValue: new(product)},
				},
				Capacity: map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{
					"memory":          {Value: memory},
					"multiprocessors": {Value: *resource.NewQuantity(p.multiprocessors, resource.DecimalSI)},
				},
				ConsumesCounters: []resourceapi.DeviceCounterConsumption{{CounterSet: set, Counters: counters(p.multiprocessors, memory, start, p.slices)}},
			})
		}
	}
	return devices
}

func (g gpu) name() string {
	if g.part != "" {
		return g.part
	}
	return "gpu-" + strconv.Itoa(g.minor)
}

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
	var sets []resourceapi.CounterSet
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
		if s.mig {
			set := name + "-counter-set"
			all := counters(allMultiprocessors, most, 0, memorySlices)
			sets = append(sets, resourceapi.CounterSet{Name: set, Counters: all})
			device.ConsumesCounters = []resourceapi.DeviceCounterConsumption{{CounterSet: set, Counters: all}}
			devices = append(devices, device)
			devices = append(devices, partitionsOf(gpus[name], s.product, set)...)
			continue
		}
		devices = append(devices, device)
	}
	if s.mig { // a slice has devices or counters
		return resourceslice.DriverResources{Pools: map[string]resourceslice.Pool{s.node: {Slices: []resourceslice.Slice{{SharedCounters: sets}, {Devices: devices}}}}}, nil
	}
	return resourceslice.DriverResources{Pools: map[string]resourceslice.Pool{s.node: {Slices: []resourceslice.Slice{{Devices: devices}}}}}, nil
}
