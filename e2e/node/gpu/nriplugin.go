package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/containerd/nri/pkg/api"
	"github.com/containerd/nri/pkg/stub"
)

const nriAnnotation = "nvidia.cdi.k8s.io/container."

// injector is container-toolkit's NRI plugin: an annotation of a pod names the CDI devices of a container.
type injector struct{}

// CreateContainer is called by the container runtime before it makes a container.
func (injector) CreateContainer(_ context.Context, pod *api.PodSandbox, container *api.Container) (*api.ContainerAdjustment, []*api.ContainerUpdate, error) {
	names, err := devicesOf(pod.GetAnnotations(), container.GetName())
	if err != nil || len(names) == 0 {
		return nil, nil, err
	}
	log.Printf("gives %v to %s/%s %s", names, pod.GetNamespace(), pod.GetName(), container.GetName())
	adjustment := &api.ContainerAdjustment{}
	for _, name := range names {
		adjustment.AddCDIDevice(&api.CDIDevice{Name: name})
	}
	return adjustment, nil, nil
}

// devicesOf reads the annotation of one container. Management devices are for the toolkit's own namespace alone.
func devicesOf(annotations map[string]string, container string) ([]string, error) {
	value := annotations[nriAnnotation+container]
	if value == "" {
		return nil, nil
	}
	names := strings.Split(value, ",")
	for _, name := range names {
		if strings.HasPrefix(name, managementKind) {
			return nil, fmt.Errorf("%s%s: %s is not for pods of users", nriAnnotation, container, name)
		}
	}
	return names, nil
}

func nriPlugin(args []string) error {
	flags := flag.NewFlagSet("nri-plugin", flag.ExitOnError)
	socket := flags.String("socket", "/var/run/nri/nri.sock", "of the container runtime")
	flags.Parse(args)
	for ; ; time.Sleep(look) { // a container runtime that starts forgets its plugins
		plugin, err := stub.New(injector{}, stub.WithSocketPath(*socket), stub.WithPluginName("nvidia-toolkit"), stub.WithPluginIdx("10"))
		if err != nil {
			return err
		}
		log.Print("ended: ", plugin.Run(context.Background()))
	}
}
