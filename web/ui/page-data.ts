/** The data that the server wrote into the document. Throws when there is none, which is a fault of the server. */
export function pageData<T>(): T {
  const block = document.getElementById('page-data')
  if (block === null) throw new Error('the document brings no data for its page')
  return JSON.parse(block.textContent) as T
}
