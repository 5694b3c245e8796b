import { ApiError, STATUS_BY_CODE } from '../http/errors.js'

export const STORE_STATUS_BY_CODE = {
  CATEGORY_NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  PET_NOT_FOUND: 404,
  CATEGORY_IN_USE: 409,
  INSUFFICIENT_STOCK: 409,
  INVALID_TRANSITION: 409,
  ORDER_COMPLETE: 409,
  PET_IN_USE: 409,
  PET_NOT_AVAILABLE: 409,
  INVALID_QUANTITY: 422,
  UNKNOWN_CATEGORY: 422,
  UNKNOWN_PET: 422,
} as const

export type StoreErrorCode = keyof typeof STORE_STATUS_BY_CODE

/** Every error code of the mock, with its HTTP status. */
export const ERROR_CODES = { ...STATUS_BY_CODE, ...STORE_STATUS_BY_CODE } as const

export type ErrorCode = keyof typeof ERROR_CODES

export function storeError(code: StoreErrorCode, message: string): ApiError {
  return new ApiError(STORE_STATUS_BY_CODE[code], code, message)
}
