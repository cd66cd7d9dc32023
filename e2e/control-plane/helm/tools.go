//go:build tools

// Package tools pins helm with all that it is built of: its own module graph, as its versions differ from Kubernetes's.
package tools

import (
	_ "helm.sh/helm/v4/cmd/helm"
)
