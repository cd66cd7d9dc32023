package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/dynamic-resource-allocation/kubeletplugin"
)

const cdiKind = "k8s.gpu.nvidia.com/claim"

// Prepares claims. The CDI spec of a claim is all that is kept, so a driver that starts anew knows as much as the one before.
type driver struct {
	cdi  string
	gpus map[string]gpu
}

type cdiSpec struct {
	Version string      `json:"cdiVersion"`
	Kind    string      `json:"kind"`
	Devices []cdiDevice `json:"devices"`
	Edits   cdiEdits    `json:"containerEdits"`
}

type cdiDevice struct {
	Name  string   `json:"name"`
	Edits cdiEdits `json:"containerEdits"`
}

type cdiEdits struct {
	Env         []string  `json:"env,omitempty"`
	DeviceNodes []cdiNode `json:"deviceNodes,omitempty"`
}

type cdiNode struct {
	Path string `json:"path"`
}

func (d *driver) PrepareResourceClaims(_ context.Context, claims []*resourceapi.ResourceClaim) (map[types.UID]kubeletplugin.PrepareResult, error) {
	results := map[types.UID]kubeletplugin.PrepareResult{}
	for _, claim := range claims {
		results[claim.UID] = d.prepare(claim)
	}
	return results, nil
}

func (d *driver) prepare(claim *resourceapi.ResourceClaim) kubeletplugin.PrepareResult {
	spec := cdiSpec{Version: "0.6.0", Kind: cdiKind, Edits: cdiEdits{Env: []string{"NVIDIA_VISIBLE_DEVICES=void"}, DeviceNodes: []cdiNode{{Path: "/dev/nvidiactl"}, {Path: "/dev/nvidia-uvm"}}}}
	var devices []kubeletplugin.Device
	named := map[string]bool{}
	for _, result := range claim.Status.Allocation.Devices.Results {
		if result.Driver != driverName {
			continue
		}
		found, known := d.gpus[result.Device]
		if !known {
			return kubeletplugin.PrepareResult{Err: fmt.Errorf("claim %s/%s is allocated device %s, which this node does not have", claim.Namespace, claim.Name, result.Device)}
		}
		name := fmt.Sprintf("%s-%s", claim.UID, found.name())
		if !named[name] {
			spec.Devices = append(spec.Devices, cdiDevice{Name: name, Edits: cdiEdits{DeviceNodes: []cdiNode{{Path: fmt.Sprintf("/dev/nvidia%d", found.minor)}}}})
			named[name] = true
		}
		devices = append(devices, kubeletplugin.Device{
			Requests:     []string{result.Request},
			PoolName:     result.Pool,
			DeviceName:   result.Device,
			ShareID:      result.ShareID,
			CDIDeviceIDs: []string{cdiKind + "=" + name},
		})
		log.Printf("claim %s/%s: %s %s consumes %v", claim.Namespace, claim.Name, result.Device, found.uuid, result.ConsumedCapacity)
	}
	if err := d.write(claim.UID, spec); err != nil {
		return kubeletplugin.PrepareResult{Err: err}
	}
	return kubeletplugin.PrepareResult{Devices: devices}
}

func (d *driver) file(claim types.UID) string {
	return filepath.Join(d.cdi, "k8s.gpu.nvidia.com-claim_"+string(claim)+".json")
}

// A container runtime that reads the folder sees all of the file or nothing.
func (d *driver) write(claim types.UID, spec cdiSpec) error {
	text, err := json.MarshalIndent(spec, "", "  ")
	if err != nil {
		return err
	}
	part := d.file(claim) + ".part"
	if err := os.WriteFile(part, text, 0o644); err != nil {
		return err
	}
	return os.Rename(part, d.file(claim))
}

func (d *driver) UnprepareResourceClaims(_ context.Context, claims []kubeletplugin.NamespacedObject) (map[types.UID]error, error) {
	results := map[types.UID]error{}
	for _, claim := range claims {
		err := os.Remove(d.file(claim.UID))
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		results[claim.UID] = err
		log.Printf("claim %s/%s: given back", claim.Namespace, claim.Name)
	}
	return results, nil
}
