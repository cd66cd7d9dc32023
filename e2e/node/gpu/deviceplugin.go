package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
	cdiapi "tags.cncf.io/container-device-interface/pkg/cdi"
)

const (
	resource = "nvidia.com/gpu"
	look     = 50 * time.Millisecond // how often files and sockets are looked at
)

// plugin offers the GPUs of a node to its kubelet. It may be used by several goroutines: it holds no state but its settings.
type plugin struct {
	api.UnimplementedDevicePluginServer
	driver, health, cdi string
	strategies          []string // envvar, cdi-cri, cdi-annotations
	idStrategy          string   // uuid or index: what envvar and CDI names carry. The kubelet always gets UUIDs
	replicas            int
	gke                 bool // as GKE's own plugin: ids are nvidia0 …, device nodes, no variable
	passDeviceSpecs     bool
}

// offered is one device as the kubelet knows it. Several belong to one GPU where there are replicas.
type offered struct {
	id    string
	gpu   GPU
	index int
}

func (p *plugin) offers() ([]offered, error) {
	gpus, err := readGPUs(p.driver)
	var list []offered
	for index, gpu := range gpus {
		switch {
		case p.gke:
			list = append(list, offered{fmt.Sprintf("nvidia%d", gpu.Minor), gpu, index})
		case p.replicas == 1:
			list = append(list, offered{gpu.UUID, gpu, index})
		default:
			for replica := range p.replicas {
				list = append(list, offered{fmt.Sprintf("%s::%d", gpu.UUID, replica), gpu, index})
			}
		}
	}
	return list, err
}

// devices are the offers with their health: a file HEALTH/MINOR says "unhealthy" or "gone", no file says healthy.
func (p *plugin) devices() (list []*api.Device, state string, err error) {
	offers, err := p.offers()
	for _, offer := range offers {
		health := api.Healthy
		words, _ := os.ReadFile(filepath.Join(p.health, fmt.Sprint(offer.gpu.Minor)))
		switch strings.TrimSpace(string(words)) {
		case "gone":
			continue
		case "unhealthy":
			health = api.Unhealthy
		}
		list = append(list, &api.Device{ID: offer.id, Health: health, Topology: &api.TopologyInfo{Nodes: []*api.NUMANode{{ID: 0}}}})
		state += offer.id + " " + health + "\n"
	}
	return list, state, err
}

func (p *plugin) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

func (p *plugin) ListAndWatch(_ *api.Empty, stream api.DevicePlugin_ListAndWatchServer) error {
	for last := "none sent"; stream.Context().Err() == nil; time.Sleep(look) {
		list, state, err := p.devices()
		if err != nil {
			log.Printf("not sent: %v", err) // a file is being replaced
			continue
		}
		if state == last {
			continue
		}
		if err := p.writeSpec(); err != nil {
			return err
		}
		log.Printf("sends %d devices", len(list))
		if err := stream.Send(&api.ListAndWatchResponse{Devices: list}); err != nil {
			return err
		}
		last = state
	}
	return nil
}

func (p *plugin) usesCDI() bool {
	return slices.Contains(p.strategies, "cdi-cri") || slices.Contains(p.strategies, "cdi-annotations")
}

func (p *plugin) writeSpec() error {
	if !p.usesCDI() || p.gke {
		return nil
	}
	gpus, err := readGPUs(p.driver)
	if err != nil {
		return err
	}
	return write(p.cdi, "k8s.device-plugin.nvidia.com-gpu.json", pluginSpec(gpus, p.idStrategy))
}

func (p *plugin) Allocate(_ context.Context, request *api.AllocateRequest) (*api.AllocateResponse, error) {
	offers, err := p.offers()
	if err != nil {
		return nil, err
	}
	response := &api.AllocateResponse{}
	for _, container := range request.ContainerRequests {
		allocated, err := p.allocate(offers, container.DevicesIds)
		if err != nil {
			return nil, err
		}
		log.Printf("allocates %v: %v", container.DevicesIds, allocated)
		response.ContainerResponses = append(response.ContainerResponses, allocated)
	}
	return response, nil
}

func (p *plugin) allocate(offers []offered, ids []string) (*api.ContainerAllocateResponse, error) {
	answer := &api.ContainerAllocateResponse{}
	var names, qualified []string
	for _, id := range ids {
		at := slices.IndexFunc(offers, func(o offered) bool { return o.id == id })
		if at < 0 {
			return nil, fmt.Errorf("invalid allocation request for '%s': unknown device: %s", resource, id)
		}
		offer := offers[at]
		if p.gke || p.passDeviceSpecs {
			answer.Devices = append(answer.Devices, &api.DeviceSpec{ContainerPath: offer.gpu.Path(), HostPath: offer.gpu.Path(), Permissions: "rw"})
		}
		name := nameOf(offer.gpu, offer.index, p.idStrategy)
		if !slices.Contains(names, name) { // two replicas of one GPU are one device in the container
			names = append(names, name)
			qualified = append(qualified, pluginKind+"="+name)
		}
	}
	if p.gke {
		return answer, nil
	}
	if slices.Contains(p.strategies, "envvar") {
		answer.Envs = map[string]string{visibleDevices: strings.Join(names, ",")}
	}
	if slices.Contains(p.strategies, "cdi-cri") {
		for _, name := range qualified {
			answer.CdiDevices = append(answer.CdiDevices, &api.CDIDevice{Name: name})
		}
	}
	if slices.Contains(p.strategies, "cdi-annotations") {
		annotations, err := cdiapi.UpdateAnnotations(map[string]string{}, "nvidia-device-plugin", fmt.Sprint(time.Now().UnixNano()), qualified)
		if err != nil {
			return nil, err
		}
		answer.Annotations = annotations
	}
	return answer, nil
}

// serve registers at the kubelet and serves it until the kubelet's socket is another one: a kubelet that starts forgets its plugins.
func (p *plugin) serve(dir string) error {
	endpoint := "nvidia-gpu.sock"
	socket, kubelet := filepath.Join(dir, endpoint), filepath.Join(dir, "kubelet.sock")
	born, err := os.Stat(kubelet)
	if err != nil {
		return err
	}
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	api.RegisterDevicePluginServer(server, p)
	go server.Serve(listener)
	defer server.Stop()
	if err := register(kubelet, endpoint); err != nil {
		return err
	}
	log.Printf("registered %s", resource)
	for {
		time.Sleep(look)
		now, err := os.Stat(kubelet)
		if err != nil || !os.SameFile(born, now) || now.ModTime() != born.ModTime() {
			return errors.New("the kubelet's socket is another one, or gone")
		}
		if _, err := os.Stat(socket); err != nil {
			return errors.New("the plugin's socket is gone")
		}
	}
}

func register(kubelet, endpoint string) error {
	connection, err := grpc.NewClient("unix://"+kubelet, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	within, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, err = api.NewRegistrationClient(connection).Register(within, &api.RegisterRequest{Version: api.Version, Endpoint: endpoint, ResourceName: resource})
	return err
}

func devicePlugin(args []string) error {
	flags := flag.NewFlagSet("device-plugin", flag.ExitOnError)
	p := &plugin{}
	flags.StringVar(&p.driver, "driver", driverDir, "folder of the driver's files")
	flags.StringVar(&p.health, "health", "/nonexistent", "folder of the files MINOR that say unhealthy or gone")
	flags.StringVar(&p.cdi, "cdi", cdiDir, "folder of CDI specs")
	flags.StringVar(&p.idStrategy, "id-strategy", "uuid", "uuid or index")
	flags.IntVar(&p.replicas, "replicas", 1, "of each GPU")
	flags.BoolVar(&p.gke, "gke", false, "behave as GKE's own device plugin")
	flags.BoolVar(&p.passDeviceSpecs, "pass-device-specs", false, "name the device nodes, too")
	strategy := flags.String("strategy", "envvar", "envvar, cdi-cri, cdi-annotations; several with commas")
	after := flags.Duration("start-after", 0, "time before the plugin does anything")
	dir := flags.String("dir", strings.TrimSuffix(api.DevicePluginPath, "/"), "the kubelet's folder of plugins")
	flags.Parse(args)
	p.strategies = strings.Split(*strategy, ",")
	if err := p.validate(); err != nil {
		return err
	}
	for time.Sleep(*after); ; time.Sleep(look) {
		log.Print(p.serve(*dir))
	}
}

func (p *plugin) validate() error {
	for _, strategy := range p.strategies {
		if !slices.Contains([]string{"envvar", "cdi-cri", "cdi-annotations"}, strategy) {
			return fmt.Errorf("--strategy has %q, but must be envvar, cdi-cri, cdi-annotations, or several of these with commas", strategy)
		}
	}
	if p.idStrategy != "uuid" && p.idStrategy != "index" {
		return fmt.Errorf("--id-strategy is %q, but must be uuid or index", p.idStrategy)
	}
	if p.replicas < 1 {
		return fmt.Errorf("--replicas is %d, but must be 1 or more", p.replicas)
	}
	return nil
}
