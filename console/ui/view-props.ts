/** A view of a project; `id` is that of the one thing that it shows, or empty. */
export type ViewProps = { project: string; id: string };
