package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/dynamic-resource-allocation/kubeletplugin"
)

func twoGPUs(t *testing.T) map[string]gpu {
	t.Helper()
	dir := t.TempDir()
	for pci, text := range map[string]string{
		"0000:01:00.0": "Model: \t\t NVIDIA H100\nGPU UUID: \t GPU-a\nDevice Minor: \t 0\n",
		"0000:02:00.0": "GPU UUID: \t GPU-b\nDevice Minor: \t 1\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, pci), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, pci, "information"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	gpus, err := readGPUs(dir)
	if err != nil {
		t.Fatal(err)
	}
	return gpus
}

func TestAClaimThatNamesNoMemoryConsumesAllOfIt(t *testing.T) {
	resources, err := resourcesOf(settings{node: "n1", memory: "81559Mi", shares: "memory"}, twoGPUs(t))
	if err != nil {
		t.Fatal(err)
	}
	devices := resources.Pools["n1"].Slices[0].Devices
	if len(devices) != 2 || devices[0].Name != "gpu-0" || *devices[1].Attributes["uuid"].StringValue != "GPU-b" {
		t.Fatalf("devices are %v", devices)
	}
	memory := devices[0].Capacity["memory"]
	if memory.RequestPolicy.Default.Cmp(memory.Value) != 0 || !*devices[0].AllowMultipleAllocations {
		t.Fatalf("memory is %v", memory)
	}
	whole, err := resourcesOf(settings{node: "n1", memory: "80Gi", shares: "disabled"}, twoGPUs(t))
	if err != nil || whole.Pools["n1"].Slices[0].Devices[0].AllowMultipleAllocations != nil {
		t.Fatalf("without shares a device is of one claim: %v, %v", whole, err)
	}
}

func TestPartitionsAndTheirGPUConsumeOneCounterSet(t *testing.T) {
	gpus := twoGPUs(t)
	resources, err := resourcesOf(settings{node: "n1", memory: "81559Mi", shares: "disabled", mig: true}, gpus)
	if err != nil {
		t.Fatal(err)
	}
	slices := resources.Pools["n1"].Slices
	if len(slices) != 2 || len(slices[0].SharedCounters) != 2 || len(slices[0].Devices) != 0 || len(slices[1].SharedCounters) != 0 {
		t.Fatalf("slices are %v", slices)
	}
	all := withPartitions(gpus)
	if len(slices[1].Devices) != len(all) || len(all) != 2*(1+2+7) {
		t.Fatalf("%d devices are published, %d can be prepared", len(slices[1].Devices), len(all))
	}
	for _, device := range slices[1].Devices {
		found, known := all[device.Name]
		set := device.ConsumesCounters[0]
		if !known || set.CounterSet != fmt.Sprintf("gpu-%d-counter-set", found.minor) || found.name() != device.Name {
			t.Fatalf("%s is %v", device.Name, found)
		}
		for name, counter := range set.Counters {
			for _, total := range slices[0].SharedCounters {
				if most := total.Counters[name].Value; total.Name == set.CounterSet && most.Cmp(counter.Value) < 0 {
					t.Fatalf("%s consumes %s of %s %s", device.Name, counter.Value.String(), most.String(), name)
				}
			}
		}
	}
}

func TestAClaimIsACDISpecUntilItIsGivenBack(t *testing.T) {
	d := &driver{cdi: t.TempDir(), gpus: twoGPUs(t)}
	share := types.UID("share-1")
	claim := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{UID: "u1", Namespace: "a", Name: "c"}}
	claim.Status.Allocation = &resourceapi.AllocationResult{Devices: resourceapi.DeviceAllocationResult{Results: []resourceapi.DeviceRequestAllocationResult{
		{Request: "gpu", Driver: driverName, Pool: "n1", Device: "gpu-1", ShareID: &share},
		{Request: "net", Driver: "another", Pool: "n1", Device: "eth0"},
	}}}
	for range 2 { // the kubelet asks again after a restart
		results, err := d.PrepareResourceClaims(context.Background(), []*resourceapi.ResourceClaim{claim})
		if err != nil || results["u1"].Err != nil {
			t.Fatal(err, results["u1"].Err)
		}
		devices := results["u1"].Devices
		if len(devices) != 1 || devices[0].CDIDeviceIDs[0] != "k8s.gpu.nvidia.com/claim=u1-gpu-1" || *devices[0].ShareID != share {
			t.Fatalf("devices are %+v", devices)
		}
	}
	var spec cdiSpec
	text, err := os.ReadFile(d.file("u1"))
	if err != nil || json.Unmarshal(text, &spec) != nil {
		t.Fatal(err, string(text))
	}
	if spec.Devices[0].Edits.DeviceNodes[0].Path != "/dev/nvidia1" || spec.Edits.Env[0] != "NVIDIA_VISIBLE_DEVICES=void" {
		t.Fatalf("spec is %s", text)
	}
	for range 2 {
		if results, err := d.UnprepareResourceClaims(context.Background(), []kubeletplugin.NamespacedObject{{UID: "u1"}}); err != nil || results["u1"] != nil {
			t.Fatal(err, results["u1"])
		}
	}
	if _, err := os.Stat(d.file("u1")); !os.IsNotExist(err) {
		t.Fatal("the spec is there still")
	}
}

func TestADeviceThatTheNodeDoesNotHaveIsRefused(t *testing.T) {
	d := &driver{cdi: t.TempDir(), gpus: twoGPUs(t)}
	claim := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{UID: "u1"}}
	claim.Status.Allocation = &resourceapi.AllocationResult{Devices: resourceapi.DeviceAllocationResult{Results: []resourceapi.DeviceRequestAllocationResult{{Driver: driverName, Device: "gpu-7"}}}}
	results, _ := d.PrepareResourceClaims(context.Background(), []*resourceapi.ResourceClaim{claim})
	if results["u1"].Err == nil {
		t.Fatal("gpu-7 was prepared")
	}
}
