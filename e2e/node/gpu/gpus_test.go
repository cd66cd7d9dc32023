package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

const (
	first  = "GPU-11111111-1111-4111-8111-111111111111"
	second = "GPU-22222222-2222-4222-8222-222222222222"
)

// writeDriver writes the files of a driver with two GPUs, the second one in the folder that sorts first.
func writeDriver(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for pci, line := range map[string]string{"0000:3b:00.0": "0 " + first, "0000:19:00.0": "1 " + second} {
		var minor int
		var uuid string
		fmt.Sscan(line, &minor, &uuid)
		folder := filepath.Join(dir, "nvidia/gpus", pci)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("Model: \t\t NVIDIA H100 80GB HBM3\nGPU UUID: \t %s\nBus Location: \t %s\nDevice Minor: \t %d\n", uuid, pci, minor)
		if err := os.WriteFile(filepath.Join(folder, "information"), []byte(text), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestGPUsAreInTheOrderOfTheirMinorNumbers(t *testing.T) {
	gpus, err := readGPUs(writeDriver(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(gpus) != 2 || gpus[0].UUID != first || gpus[0].Minor != 0 || gpus[0].PCI != "0000:3b:00.0" || gpus[1].UUID != second || gpus[1].Path() != "/dev/nvidia1" {
		t.Errorf("read %+v", gpus)
	}
}

func TestAFileWithoutAMinorNumberIsAnError(t *testing.T) {
	dir := writeDriver(t)
	file := filepath.Join(dir, "nvidia/gpus/0000:19:00.0/information")
	os.Remove(file)
	if err := os.WriteFile(file, []byte("GPU UUID: \t "+second+"\n"), 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := readGPUs(dir); err == nil {
		t.Error("read without an error")
	}
}
