import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** The title of a column of buttons, which needs none to be seen. */
export const actions = 'Actions';

export type Column<T> = { title: string; cell: (row: T) => ReactNode };

type Props<T> = {
  /** What the table has, for those who do not see it. */
  label: string;
  rows: readonly T[];
  columns: Column<T>[];
  keyOf: (row: T) => string;
};

/**
 * A table. Where the window is narrow, or its text is enlarged, each row is a block of lines, and each line begins with
 * the title of its column. The roles are named because some browsers drop those of a table with another layout.
 */
export const Rows = <T,>({ label, rows, columns, keyOf }: Props<T>) => (
  <Table
    className="rows"
    role="table"
    verticalSpacing="xs"
    highlightOnHover
    aria-label={label}
    layout="auto"
  >
    <Table.Thead role="rowgroup">
      <Table.Tr role="row">
        {columns.map(({ title }) => (
          <Table.Th key={title} role="columnheader" scope="col">
            {title === actions ? <span className="unseen">{title}</span> : title}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody role="rowgroup">
      {rows.map((row) => (
        <Table.Tr key={keyOf(row)} role="row">
          {columns.map(({ title, cell }) => (
            <Table.Td key={title} role="cell" data-title={title === actions ? undefined : title}>
              <div>{cell(row)}</div>
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
