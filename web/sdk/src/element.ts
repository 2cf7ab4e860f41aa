/** An element the SDK puts on the page. Styles go through CSSOM, which no policy of a host page refuses. */
export function make<K extends keyof HTMLElementTagNameMap>(name: K, css: string, attributes: Readonly<Record<string, string>> = {}): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  element.style.cssText = css
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  return element
}
