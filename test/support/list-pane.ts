/** A pane as Zellij describes it in `list-panes --json`. */
interface ListedPane {
  id: number;
  title: string;
  tab_name?: string;
  tab_position?: number;
  is_focused?: boolean;
}

export function listPane(pane: ListedPane): object {
  return {
    tab_name: "command",
    tab_position: 0,
    is_plugin: false,
    is_focused: false,
    exited: false,
    is_held: false,
    pane_y: 0,
    pane_content_y: 0,
    cursor_coordinates_in_pane: null,
    ...pane,
  };
}
