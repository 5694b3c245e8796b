/**
 * Whether to paint what is printed: on a terminal, unless NO_COLOR is set to anything (no-color.org) or the terminal says
 * that it cannot; elsewhere where FORCE_COLOR asks for it.
 */
export function hasColour(output: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment
  if (NO_COLOR) return false
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return output.isTTY === true && TERM !== 'dumb'
}
