package dev.berth.engine.request;

import java.util.ArrayList;
import java.util.List;

/// The ports of its node that a pod takes, as `protocol:ip:port`.
final class HostPorts {
  private static final String EVERY_ADDRESS = "0.0.0.0";
  private static final int MOST = 256; // as admission says

  private HostPorts() {}

  static List<String> of(
      ManifestTree spec, List<ManifestTree> containers, List<ManifestTree> initContainers) {
    boolean hostNetwork = spec.flag("hostNetwork");
    var ports = new ArrayList<String>(0);
    for (ManifestTree container : containers) {
      add(container, hostNetwork, ports);
    }
    for (ManifestTree container : initContainers) {
      if (container.text("restartPolicy").equals("Always")) {
        add(container, hostNetwork, ports);
      }
    }
    if (ports.size() > MOST) {
      spec.problem(
          "containers", ports.size() + " host ports", "a pod has at most 256. Take some out.");
    }
    return ports;
  }

  private static void add(ManifestTree container, boolean hostNetwork, List<String> ports) {
    for (ManifestTree port : container.objects("ports")) {
      String field = hostNetwork && !port.has("hostPort") ? "containerPort" : "hostPort";
      int number = port.number(field, 0).orElse(0);
      if (number > 65_535) {
        port.problem(field, Integer.toString(number), "a port is a number from 1 to 65535.");
      } else if (number > 0) {
        String protocol = port.text("protocol");
        String address = port.text("hostIP");
        ports.add(
            (protocol.isEmpty() ? "TCP" : protocol)
                + ":"
                + (address.isEmpty() ? EVERY_ADDRESS : address)
                + ":"
                + number);
      }
    }
  }
}
