/** Loaded in front of a server with --expose-gc: says what memory it holds, garbage collected, whenever it is asked. */
process.on('message', () => {
  globalThis.gc()
  globalThis.gc()
  process.send(process.memoryUsage())
})
process.channel.unref()
