/**
 * Makes an element of the SDK. Styles are set through CSSOM, which no Content-Security-Policy of a host page refuses.
 */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  style: string,
  properties?: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign<HTMLElementTagNameMap[K], object>(document.createElement(name), { ...properties, style })
}
