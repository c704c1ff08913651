// What tests need that is not a package: a real Zellij, found or built. Its path goes to them by the environment.
import { provideZellij, tell } from "./provide-zellij.mjs";

export async function setup() {
  process.env.OVLD_TEST_ZELLIJ = await provideZellij(tell);
}
