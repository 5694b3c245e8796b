/** Sets a member whose name may be `__proto__`. Assigning to that would change the prototype, or do nothing. */
export function setMember<Value>(object: Record<string, Value>, name: string, value: Value): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}
