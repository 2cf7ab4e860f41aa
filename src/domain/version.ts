/** The version of the product, the same as in package.json (a test keeps them equal). */
export const PRODUCT_VERSION = '1.0.0'
