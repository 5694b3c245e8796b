/** Loaded before a server, with --expose-gc: reports its memory use after garbage collection, on request. */
process.on('message', () => {
  globalThis.gc()
  globalThis.gc()
  process.send(process.memoryUsage())
})
process.channel.unref()
