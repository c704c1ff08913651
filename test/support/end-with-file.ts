/** Runs with every test file: whatever its tests have left open ends with it. */
import { afterAll } from "vitest";
import { endOpenSandboxes } from "./sandbox.ts";

afterAll(endOpenSandboxes);
