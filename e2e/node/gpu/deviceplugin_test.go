package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

func newPlugin(t *testing.T, strategies ...string) *plugin {
	return &plugin{driver: writeDriver(t), health: t.TempDir(), cdi: t.TempDir(), strategies: strategies, idStrategy: "uuid", replicas: 1}
}

func allocate(t *testing.T, p *plugin, ids ...string) *api.ContainerAllocateResponse {
	t.Helper()
	response, err := p.Allocate(context.Background(), &api.AllocateRequest{ContainerRequests: []*api.ContainerAllocateRequest{{DevicesIds: ids}}})
	if err != nil {
		t.Fatal(err)
	}
	return response.ContainerResponses[0]
}

func TestStrategies(t *testing.T) {
	for strategies, want := range map[string]struct {
		variable              string
		cdi, annotations, env bool
	}{
		"envvar":                  {variable: second, env: true},
		"cdi-cri":                 {cdi: true},
		"cdi-annotations":         {annotations: true},
		"cdi-annotations,cdi-cri": {cdi: true, annotations: true},
		"envvar,cdi-annotations":  {variable: second, env: true, annotations: true},
	} {
		got := allocate(t, newPlugin(t, strings.Split(strategies, ",")...), second)
		variable, env := got.Envs[visibleDevices]
		if variable != want.variable || env != want.env || (len(got.CdiDevices) == 1) != want.cdi || (len(got.Annotations) == 1) != want.annotations {
			t.Errorf("%s: %v", strategies, got)
		}
		if want.cdi && got.CdiDevices[0].Name != pluginKind+"="+second {
			t.Errorf("%s: CDI name %s", strategies, got.CdiDevices[0].Name)
		}
	}
}

func TestIndicesAreForContainersAlone(t *testing.T) {
	p := newPlugin(t, "envvar", "cdi-cri")
	p.idStrategy = "index"
	got := allocate(t, p, second)
	if got.Envs[visibleDevices] != "1" || got.CdiDevices[0].Name != pluginKind+"=1" {
		t.Errorf("allocated %v", got)
	}
	if devices, _, _ := p.devices(); devices[1].ID != second {
		t.Errorf("the kubelet gets %s", devices[1].ID)
	}
}

func TestReplicasOfOneGPUAreOneDeviceInTheContainer(t *testing.T) {
	p := newPlugin(t, "envvar")
	p.replicas = 3
	devices, _, err := p.devices()
	if err != nil || len(devices) != 6 || devices[5].ID != second+"::2" {
		t.Errorf("offers %v, %v", devices, err)
	}
	if got := allocate(t, p, second+"::0", second+"::2"); got.Envs[visibleDevices] != second {
		t.Errorf("allocated %v", got)
	}
}

func TestGKE(t *testing.T) {
	p := newPlugin(t, "envvar")
	p.gke = true
	got := allocate(t, p, "nvidia1")
	if len(got.Envs) != 0 || len(got.Devices) != 1 || got.Devices[0].HostPath != "/dev/nvidia1" {
		t.Errorf("allocated %v", got)
	}
}

func TestHealth(t *testing.T) {
	p := newPlugin(t, "envvar")
	health := func(word string) (list []string) {
		if err := os.WriteFile(filepath.Join(p.health, "1"), []byte(word+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		devices, _, _ := p.devices()
		for _, device := range devices {
			list = append(list, device.Health)
		}
		return list
	}
	if got := health("unhealthy"); !slices.Equal(got, []string{api.Healthy, api.Unhealthy}) {
		t.Errorf("unhealthy: %v", got)
	}
	if got := health("gone"); !slices.Equal(got, []string{api.Healthy}) {
		t.Errorf("gone: %v", got)
	}
}

func TestAnUnknownDeviceIsRefused(t *testing.T) {
	p := newPlugin(t, "envvar")
	_, err := p.Allocate(context.Background(), &api.AllocateRequest{ContainerRequests: []*api.ContainerAllocateRequest{{DevicesIds: []string{"GPU-x"}}}})
	if err == nil || !strings.Contains(err.Error(), "unknown device: GPU-x") {
		t.Errorf("error %v", err)
	}
}

func TestSettingsAreValidated(t *testing.T) {
	for _, change := range []func(*plugin){
		func(p *plugin) { p.strategies = []string{"volume"} },
		func(p *plugin) { p.idStrategy = "name" },
		func(p *plugin) { p.replicas = 0 },
	} {
		p := newPlugin(t, "envvar")
		change(p)
		if p.validate() == nil {
			t.Errorf("accepted %+v", p)
		}
	}
}
