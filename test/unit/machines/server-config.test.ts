import { expect, it } from "vitest";
import { parseListen, localAddress, outsideAddresses } from "../../../src/machines/server/hub-state.ts";
import { formatServerConfig } from "../../../src/machines/server/server-config.ts";
import { perUser } from "../../../src/machines/carrier/subjects.ts";

const config = (more: object = {}) =>
  formatServerConfig({
    listen: "127.0.0.1:4222",
    tls: { certificate: "/hub/certificate.pem", key: "/hub/key.pem" },
    storeDir: "/hub/store",
    logFile: "/hub/log",
    maxFile: 1_000_000,
    keeper: "UKEEPER",
    armies: { camp: { post: ["UADMIN"], ...perUser((user) => [`U${user.toUpperCase()}`]) } },
    ...more,
  });

it("a message counts as stored when it is synced, and all storage has a limit", () => {
  expect(JSON.parse(config()).jetstream).toMatchObject({ sync_interval: "always", max_file: 1_000_000 });
});

interface Subject {
  subject: string;
}

it("each role's account imports nothing that another role could be named in", () => {
  const { imports }: { imports: { service?: Subject; stream?: Subject }[] } =
    JSON.parse(config()).accounts.camp_inferno;
  const subjects = imports.map(({ service, stream }) => (service ?? stream)?.subject ?? "");
  expect(subjects.toSorted()).toEqual([
    "$JS.API.DIRECT.GET.INBOX_inferno",
    "$JS.API.DIRECT.GET.KV_board.$KV.board.>",
    "$JS.API.STREAM.INFO.INBOX_inferno",
    "$JS.API.STREAM.MSG.DELETE.INBOX_inferno",
    "$KV.board.*.inferno",
    "arrived.inferno.*",
    "board.>",
    "inbox.*.inferno",
    "inbox.inferno.ovld",
    "journal.inferno",
  ]);
});

it("neither a quote nor a line break ends a path or a key", () => {
  expect(config({ storeDir: '/a "b" \\c' })).toContain(String.raw`"/a \"b\" \\c"`);
  expect(config({ storeDir: '/a\npid_file: "/b"' })).toContain(String.raw`"/a\npid_file: \"/b\""`);
  expect(config({ keeper: "U } ] }\npid_file: x" })).toContain(String.raw`"nkey":"U } ] }\npid_file: x"`);
});

it.each([
  ["127.0.0.1", { host: "127.0.0.1", port: 4222, isLoopback: true }],
  ["127.9.9.9:5000", { host: "127.9.9.9", port: 5000, isLoopback: true }],
  ["[::1]:5000", { host: "::1", port: 5000, isLoopback: true }],
  ["localhost:5000", { host: "localhost", port: 5000, isLoopback: true }],
  ["0.0.0.0:5000", { host: "0.0.0.0", port: 5000, isLoopback: false }],
  ["127.0.0.1.example.org:5000", { host: "127.0.0.1.example.org", port: 5000, isLoopback: false }],
])("the address %s is understood", (listen, place) => {
  expect(parseListen(listen)).toEqual(place);
});

it.each(["", "a b", "host:0", "host:70000", "[zz]:1", 'x"y', "host:port"])(
  "the address %o is refused",
  (listen) => {
    expect(() => parseListen(listen)).toThrow("hub-address");
  },
);

it("a hub that listens everywhere is reached by loopback here and by its own addresses from outside", () => {
  expect(localAddress("0.0.0.0:5000")).toBe("127.0.0.1:5000");
  expect(outsideAddresses("0.0.0.0:5000", ["10.0.0.7", "192.168.1.2"])).toEqual([
    "10.0.0.7:5000",
    "192.168.1.2:5000",
  ]);
  expect(outsideAddresses("hub.local:5000", ["10.0.0.7"])).toEqual(["hub.local:5000"]);
});
