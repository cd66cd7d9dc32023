package dev.berth.controllers.kube;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.controllers.client.Watcher.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads an object from a JSON stream as a plain tree, without the parts that Berth does not need:
/// they are most of a pod (managedFields, probes, volumes) and of a node (images). What is left out
/// is listed here; everything else stays, fields Berth has never heard of included. A JSON null is
/// an absent field, as is what lies deeper than any field that Kubernetes knows. Not for two
/// threads at once.
final class SlimTree {
  private static final String METADATA =
      "metadata.managedFields metadata.selfLink"
          + " metadata.annotations/kubectl.kubernetes.io/last-applied-configuration";

  /// Of a container stay its name, resources, ports and restartPolicy.
  private static final String CONTAINER =
      "image imagePullPolicy args command env envFrom lifecycle livenessProbe readinessProbe"
          + " startupProbe securityContext volumeMounts volumeDevices terminationMessagePath"
          + " terminationMessagePolicy workingDir stdin stdinOnce tty";

  private static final String POD =
      "spec.ephemeralContainers spec.imagePullSecrets spec.securityContext"
          + " spec.dnsPolicy spec.dnsConfig spec.hostAliases spec.serviceAccount"
          + " spec.serviceAccountName spec.enableServiceLinks status.initContainerStatuses"
          + " status.ephemeralContainerStatuses status.podIP status.podIPs status.hostIP"
          + " status.hostIPs status.conditions.lastProbeTime";

  /// Of a pod's volume stay its name and its claim.
  private static final String POD_VOLUME =
      "awsElasticBlockStore azureDisk azureFile cephfs cinder configMap csi downwardAPI emptyDir fc"
          + " flexVolume flocker gcePersistentDisk gitRepo glusterfs hostPath image iscsi nfs"
          + " photonPersistentDisk portworxVolume projected quobyte rbd scaleIO secret storageos"
          + " vsphereVolume ephemeral.volumeClaimTemplate";

  private static final String PERSISTENT_VOLUME =
      "metadata.annotations metadata.labels status.message status.reason"
          + " status.lastPhaseTransitionTime spec.csi spec.capacity spec.mountOptions";

  private static final String VOLUME_CLAIM =
      "metadata.labels spec.selector spec.resources status.capacity status.conditions";

  /// Of a container's status stay its name, its states and the devices that the kubelet gave it.
  private static final String CONTAINER_STATUS =
      "image imageID containerID volumeMounts ready started restartCount resources"
          + " allocatedResources user stopSignal";

  private static final String NODE =
      "spec.podCIDR spec.podCIDRs status.images status.volumesInUse status.volumesAttached"
          + " status.daemonEndpoints status.addresses status.config"
          + " status.features status.conditions.lastHeartbeatTime"
          + " status.conditions.message";

  private static final String JOB =
      "spec.template.spec.containers spec.template.spec.initContainers"
          + " spec.template.spec.volumes spec.template.spec.affinity";

  private static final String ZONES = "zones.costs zones.attributes zones.parent";

  private static final int DEEPEST = 100; // objects and lists in each other
  private static final int RECENT = 4096;
  private static final int LONGEST_KEPT = 64;

  private final Fields root;

  /// Strings come again and again (names of nodes, labels, resources): one of each is enough.
  private final String[] recent = new String[RECENT];

  private int depth;

  private SlimTree(Fields root) {
    this.root = root;
  }

  static SlimTree of(Kind kind) {
    var fields = new Fields();
    fields.leaveOut("", METADATA);
    switch (kind) {
      case POD -> {
        fields.leaveOut("", POD);
        fields.leaveOut("spec.containers", CONTAINER);
        fields.leaveOut("spec.initContainers", CONTAINER);
        fields.leaveOut("status.containerStatuses", CONTAINER_STATUS);
        fields.leaveOut("spec.volumes", POD_VOLUME);
      }
      case NODE -> fields.leaveOut("", NODE);
      case JOB -> fields.leaveOut("", JOB);
      case VOLUME -> fields.leaveOut("", PERSISTENT_VOLUME);
      case VOLUME_CLAIM -> fields.leaveOut("", VOLUME_CLAIM);
      case RESOURCE_CLAIM ->
          fields.leaveOut(
              "", "spec.devices.config status.allocation.devices.config status.devices");
      case NODE_RESOURCE_TOPOLOGY -> fields.leaveOut("", ZONES);
      case NAMESPACE,
          PRIORITY_CLASS,
          DISRUPTION_BUDGET,
          QUEUE,
          POD_GROUP,
          TOPOLOGY,
          RESOURCE_SLICE,
          DEVICE_CLASS,
          STORAGE_CLASS,
          RUNTIME_CLASS,
          CLUSTER_POLICY,
          GPU_CLUSTER,
          KAI_QUEUE,
          KAI_POD_GROUP,
          KAI_TOPOLOGY -> {}
    }
    return new SlimTree(fields);
  }

  /// Reads the object whose `{` is the parser's current token; afterwards its `}` is.
  Map<String, Object> read(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new IOException("expected an object, got " + parser.currentToken());
    }
    depth = 0; // of one that could not be read to its end
    return object(parser, root);
  }

  private Map<String, Object> object(JsonParser parser, Fields fields) throws IOException {
    var object = new LinkedHashMap<String, Object>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      Fields below = fields.below(name);
      JsonToken token = parser.nextToken();
      if (below == Fields.LEFT_OUT || isTooDeep(token)) {
        parser.skipChildren();
      } else if (token != JsonToken.VALUE_NULL) {
        object.put(name, value(parser, token, below));
      }
    }
    return object;
  }

  private Object value(JsonParser parser, JsonToken token, Fields fields) throws IOException {
    return switch (token) {
      case START_OBJECT, START_ARRAY -> {
        depth++;
        Object children =
            token == JsonToken.START_OBJECT ? object(parser, fields) : array(parser, fields);
        depth--;
        yield children;
      }
      case VALUE_STRING -> same(parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME ->
          throw new IOException("unexpected " + token + " in an object");
    };
  }

  private boolean isTooDeep(JsonToken token) {
    return depth >= DEEPEST && token.isStructStart();
  }

  private List<Object> array(JsonParser parser, Fields fields) throws IOException {
    var array = new ArrayList<Object>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      if (token == null) {
        throw new IOException("the stream ends inside an array");
      }
      if (isTooDeep(token)) {
        parser.skipChildren();
      } else if (token != JsonToken.VALUE_NULL) {
        array.add(value(parser, token, fields));
      }
    }
    return array;
  }

  private String same(String text) {
    if (text.length() > LONGEST_KEPT) {
      return text;
    }
    int place = (text.hashCode() ^ text.hashCode() >>> 16) & (RECENT - 1);
    String known = recent[place];
    if (text.equals(known)) {
      return known;
    }
    recent[place] = text;
    return text;
  }

  /// What is left out, as a tree by field name. Elements of an array are below the array's field.
  private static final class Fields {
    /// All below is kept.
    private static final Fields ALL = new Fields();

    private static final Fields LEFT_OUT = new Fields();

    private final HashMap<String, Fields> fields = new HashMap<>();

    Fields below(String name) {
      return fields.isEmpty() ? ALL : fields.getOrDefault(name, ALL);
    }

    /// @param prefix path of the field that they are below
    /// @param paths separated by blanks; each of names separated by dots, and after a slash one
    ///   name that may contain dots
    void leaveOut(String prefix, String paths) {
      for (String path : paths.split(" ", -1)) {
        int slash = path.indexOf('/');
        int cut = slash >= 0 ? slash : path.lastIndexOf('.');
        String last = path.substring(cut + 1);
        String parent = prefix + "." + (cut < 0 ? "" : path.substring(0, cut));
        at(parent).fields.put(last, LEFT_OUT);
      }
    }

    Fields at(String path) {
      Fields here = this;
      for (String name : path.split("\\.", -1)) {
        if (!name.isEmpty()) {
          here = here.fields.computeIfAbsent(name, _ -> new Fields());
        }
      }
      return here;
    }
  }
}
