//go:build tools

// Package tools pins kwok with all that it is built of: its own module graph, as its versions differ from Kubernetes's.
package tools

import (
	_ "sigs.k8s.io/kwok/cmd/kwok"
)
