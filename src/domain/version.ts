/** The version of the product, as package.json has it (a test holds them together). */
export const PRODUCT_VERSION = '1.0.0'
