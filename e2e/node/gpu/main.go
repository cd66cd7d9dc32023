// Command simulated-nvidia behaves as NVIDIA's software on a node does, for GPUs that do not exist.
//
//	simulated-nvidia device-plugin   offers the GPUs to the kubelet
//	simulated-nvidia toolkit         writes the CDI spec that container-toolkit writes when it is installed
//	simulated-nvidia runtime         edits a container as nvidia-container-runtime does, then runs runc
//	simulated-nvidia proc-hook       shows /proc/driver/nvidia in a container (an OCI hook)
//	simulated-nvidia nri-plugin      gives CDI devices to containers that an annotation of their pod names
//	simulated-nvidia pod-resources   prints which container has which device, as the kubelet tells it
//
// A GPU is a file of the driver: /proc/driver/nvidia/gpus/PCI/information. e2e/node/node writes these files.
package main

import (
	"fmt"
	"log"
	"os"
)

var commands = map[string]func(args []string) error{
	"device-plugin": devicePlugin,
	"toolkit":       toolkit,
	"runtime":       runtime,
	"proc-hook":     procHook,
	"nri-plugin":    nriPlugin,
	"pod-resources": podResources,
}

func main() {
	log.SetFlags(log.Ltime | log.Lmicroseconds)
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "simulated-nvidia: the first word must be device-plugin, toolkit, runtime, proc-hook, nri-plugin or pod-resources")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "simulated-nvidia %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}
