/** Start and size of a page of a list: from an offset, or after a position, which a cursor has. */
export type Page = { offset: number; limit: number; after?: string | undefined };
