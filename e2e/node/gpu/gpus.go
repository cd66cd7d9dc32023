package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// driverDir is where the driver tells its GPUs.
const driverDir = "/proc/driver"

// GPU is one GPU of the node, as the driver tells it.
type GPU struct {
	Minor       int64
	UUID        string
	PCI         string // the folder's name, like 0000:19:00.0
	Information string // the whole file
}

// Path of the device node.
func (g GPU) Path() string { return fmt.Sprintf("/dev/nvidia%d", g.Minor) }

// readGPUs reads DIR/nvidia/gpus/*/information. GPUs are in the order of their minor numbers, which is that of their indices.
func readGPUs(dir string) ([]GPU, error) {
	files, err := filepath.Glob(filepath.Join(dir, "nvidia/gpus/*/information"))
	if err != nil {
		return nil, err
	}
	var gpus []GPU
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		gpu := GPU{UUID: field(string(text), "GPU UUID"), PCI: filepath.Base(filepath.Dir(file)), Information: string(text)}
		if gpu.Minor, err = strconv.ParseInt(field(string(text), "Device Minor"), 10, 64); err != nil {
			return nil, fmt.Errorf("%s: Device Minor: %w", file, err)
		}
		if gpu.UUID == "" {
			return nil, fmt.Errorf("%s: no line GPU UUID", file)
		}
		gpus = append(gpus, gpu)
	}
	slices.SortFunc(gpus, func(a, b GPU) int { return int(a.Minor - b.Minor) })
	return gpus, nil
}

func field(information, name string) string {
	for line := range strings.Lines(information) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// find returns the GPU of a UUID or an index, as nvidia-container-cli accepts both.
func find(gpus []GPU, name string) (GPU, bool) {
	for index, gpu := range gpus {
		if gpu.UUID == name || strconv.Itoa(index) == name {
			return gpu, true
		}
	}
	return GPU{}, false
}
