/* The packed matrix, as envgen_pack wrote it. Read-only, aligned as the widest row needs. */
        .section .rodata
        .balign 16
        .globl envgen_matrix_begin
        .globl envgen_matrix_end
envgen_matrix_begin:
        .incbin ENVGEN_MATRIX_BLOB
envgen_matrix_end:
        .byte 0
        .section .note.GNU-stack, "", %progbits
