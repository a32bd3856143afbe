import { MemoryStore } from "./memory.ts";
import { testStore } from "./store.suite.ts";

testStore({
  name: "memory",
  async prepare() {
    return { isShared: false, open: async (options) => new MemoryStore(options), destroy: async () => {} };
  },
});
