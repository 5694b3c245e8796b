/** Stands for a secret. */
export const HIDDEN = '(hidden)'

const SECRETS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']

export function hideSecrets<Value>(headers: Readonly<Record<string, Value>>): Record<string, Value | string> {
  const shown: Record<string, Value | string> = { ...headers }
  for (const name in shown) if (SECRETS.includes(name.toLowerCase())) shown[name] = HIDDEN
  return shown
}
