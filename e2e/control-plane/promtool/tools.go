//go:build tools

// Package tools pins promtool with all that it is built of: its own module graph, as its versions differ from Kubernetes's.
package tools

import (
	_ "github.com/prometheus/prometheus/cmd/promtool"
)
