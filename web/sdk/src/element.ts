/** An element the SDK puts on the page. Styles go through CSSOM, which no policy of a host page refuses. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  style: string,
  properties?: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign<HTMLElementTagNameMap[K], object>(document.createElement(name), { ...properties, style })
}
