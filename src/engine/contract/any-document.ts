/** What only documents without precompiled validators need. `contract.load()` imports it. */
export { compileOnDemand } from './compiling-validator.js'
