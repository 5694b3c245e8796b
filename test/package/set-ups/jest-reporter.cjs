const { appendFileSync } = require('node:fs')

/** Records test files that cannot be loaded, and tests that fail outside of their cases. */
module.exports = class {
  onTestFileResult({ context }, { failureMessage }) {
    if (!failureMessage) return
    const outcome = { ...context.config.globals.SET_UP, errors: [failureMessage] }
    appendFileSync(process.env.OUTCOMES, `${JSON.stringify(outcome)}\n`)
  }
}
