// Command simulated-dra-driver behaves as NVIDIA's DRA driver for GPUs does (driver gpu.nvidia.com, gate ConsumableShares), for GPUs
// that do not exist. It runs in the namespaces of a node of e2e/node, beside its kubelet.
//
// It publishes the GPUs of the node as a ResourceSlice, and prepares claims: for each claim a CDI spec of kind
// k8s.gpu.nvidia.com/claim with the device node of each GPU and NVIDIA_VISIBLE_DEVICES=void. It enforces no share of memory; like NVIDIA's
// driver it counts nothing itself: kube-scheduler keeps the sum.
//
// With --dynamic-mig (gate DynamicMIG) it publishes MIG devices, too: of each GPU two 3g.40gb and seven 1g.10gb. They and the GPU consume the
// counters of one counter set, its memory slices among them, so that kube-scheduler allocates none that overlap.
//
// A GPU is a file of the driver, /proc/driver/nvidia/gpus/PCI/information, which e2e/node writes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/dynamic-resource-allocation/kubeletplugin"
	"k8s.io/dynamic-resource-allocation/resourceslice"
)

const driverName = "gpu.nvidia.com"

type settings struct {
	node       string
	kubeconfig string
	plugins    string
	registry   string
	cdi        string
	proc       string
	product    string
	memory     string
	shares     string
	mig        bool
}

func main() {
	log.SetFlags(log.Ltime | log.Lmicroseconds)
	var s settings
	flag.StringVar(&s.node, "node", "", "name of the node")
	flag.StringVar(&s.kubeconfig, "kubeconfig", "", "of the node's kubelet: it may write the ResourceSlices of its node and read the claims of its pods")
	flag.StringVar(&s.plugins, "plugins", "/var/lib/kubelet/plugins", "the kubelet's folder of plugins")
	flag.StringVar(&s.registry, "registry", "/var/lib/kubelet/plugins_registry", "the kubelet's folder of plugin registrations")
	flag.StringVar(&s.cdi, "cdi", "/var/run/cdi", "the container runtime's folder of CDI specs")
	flag.StringVar(&s.proc, "proc", "/proc/driver/nvidia/gpus", "folder of the driver's GPUs")
	flag.StringVar(&s.product, "product", "NVIDIA H100 80GB HBM3", "attribute productName of each GPU")
	flag.StringVar(&s.memory, "memory", "81559Mi", "memory of each GPU")
	flag.StringVar(&s.shares, "consumable-shares", "memory", "memory or disabled, as CONSUMABLE_SHARES of NVIDIA's driver")
	flag.BoolVar(&s.mig, "dynamic-mig", false, "publish the MIG devices that each GPU can be partitioned into, as the gate DynamicMIG of NVIDIA's driver does")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintf(os.Stderr, "simulated-dra-driver: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	if s.node == "" || s.kubeconfig == "" {
		return errors.New("--node and --kubeconfig must be set")
	}
	if s.shares != "memory" && s.shares != "disabled" {
		return fmt.Errorf("--consumable-shares is %q, but must be memory or disabled", s.shares)
	}
	gpus, err := readGPUs(s.proc)
	if err != nil {
		return err
	}
	resources, err := resourcesOf(s, gpus)
	if err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", s.kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	data := s.plugins + "/" + driverName
	for _, dir := range []string{data, s.registry, s.cdi} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	d := &driver{cdi: s.cdi, gpus: gpus}
	if s.mig {
		d.gpus = withPartitions(gpus)
	}
	helper, err := kubeletplugin.Start(ctx, d,
		kubeletplugin.DriverName(driverName),
		kubeletplugin.NodeName(s.node),
		kubeletplugin.KubeClient(client),
		kubeletplugin.PluginDataDirectoryPath(data),
		kubeletplugin.RegistrarDirectoryPath(s.registry),
	)
	if err != nil {
		return err
	}
	defer helper.Stop()
	if err := helper.PublishResources(ctx, resources); err != nil {
		return err
	}
	log.Printf("publishes %d GPUs of node %s", len(gpus), s.node)
	<-ctx.Done()
	return nil
}

// HandleError of the library's background work: what the API server refuses is not mended by another attempt.
func (d *driver) HandleError(ctx context.Context, err error, msg string) {
	var dropped *resourceslice.DroppedFieldsError
	if errors.As(err, &dropped) || !errors.Is(err, kubeletplugin.ErrRecoverable) {
		log.Fatalf("%s: %v", msg, err)
	}
	utilruntime.HandleErrorWithContext(ctx, err, msg)
}
