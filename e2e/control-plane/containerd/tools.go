//go:build tools

// Package tools pins containerd with all that it is built of: its own module graph, as its versions differ from Kubernetes's.
package tools

import (
	_ "github.com/containerd/containerd/v2/cmd/containerd"
	_ "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2"
	_ "github.com/containerd/containerd/v2/cmd/ctr"
)
