package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/podresources/v1"
)

// podResources prints a line "allocatable RESOURCE ID…" for each device of the node, and NAMESPACE/POD CONTAINER RESOURCE ID… for what is given out.
func podResources(args []string) error {
	flags := flag.NewFlagSet("pod-resources", flag.ExitOnError)
	socket := flags.String("socket", "/var/lib/kubelet/pod-resources/kubelet.sock", "of the kubelet")
	flags.Parse(args)
	connection, err := grpc.NewClient("unix://"+*socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	within, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	client := api.NewPodResourcesListerClient(connection)
	allocatable, err := client.GetAllocatableResources(within, &api.AllocatableResourcesRequest{})
	if err != nil {
		return err
	}
	for _, device := range allocatable.Devices {
		fmt.Println("allocatable", device.ResourceName, strings.Join(device.DeviceIds, " "))
	}
	given, err := client.List(within, &api.ListPodResourcesRequest{})
	if err != nil {
		return err
	}
	for _, pod := range given.PodResources {
		for _, container := range pod.Containers {
			for _, device := range container.Devices {
				fmt.Println(pod.Namespace+"/"+pod.Name, container.Name, device.ResourceName, strings.Join(device.DeviceIds, " "))
			}
		}
	}
	return nil
}
